/** `data.content[0].text`: a path the way people write it. Empty for the root. */
export function formatPath(path: readonly PropertyKey[]): string {
  let out = ''
  for (const part of path) {
    if (typeof part === 'number') out += `[${part}]`
    else if (/^[A-Za-z_$][\w$]*$/.test(String(part)))
      out += out === '' ? String(part) : `.${String(part)}`
    else out += `[${JSON.stringify(String(part))}]`
  }
  return out
}
