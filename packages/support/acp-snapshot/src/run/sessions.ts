/** The sessions of a run, as the client knows them. Prompts go to the newest. */
export class Sessions {
  /** In the order in which `session/new` gave them. */
  readonly ids: string[] = []
  private readonly prompts = new Map<string, number>()

  add(id: string): void {
    this.ids.push(id)
  }

  get newest(): string | undefined {
    return this.ids.at(-1)
  }

  /** How many of this session's prompts have opened a turn. */
  promptsOf(id: string): number {
    return this.prompts.get(id) ?? 0
  }

  /** A prompt has opened a turn. */
  countPrompt(id: string): void {
    this.prompts.set(id, this.promptsOf(id) + 1)
  }
}
