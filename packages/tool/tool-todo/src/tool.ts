import type { TodoItem } from 'dsh-session'
import { parametersOf, parseArgs, textOutcome, type Tool } from 'dsh-tools'
import { z } from 'zod'

const NAME = 'todo_write'
const STATUSES = ['pending', 'in_progress', 'completed'] as const

const Args = z.object({
  todos: z
    .array(
      z.strictObject({
        content: z.string().min(1).describe('What the task is: a short imperative line.'),
        status: z
          .enum(STATUSES)
          .describe('pending (not started), in_progress (now) or completed (done).'),
      }),
    )
    .describe('The complete list, replacing the previous one.'),
})

/** The tool that keeps the model's plan in the log, where clients and later turns find it. */
export const todoTool: Tool = {
  name: NAME,
  description:
    'Record a structured task list for the current work. Send the entire list in every call: it ' +
    'replaces the previous one. Use it to plan work of several steps; mark a task in_progress ' +
    'while you work on it and completed as soon as it is done.',
  parameters: parametersOf(Args),
  kind: 'think',
  display: () => ({ title: 'Update todo list' }),
  execute: async (args, context) => {
    const { todos } = parseArgs(NAME, Args, args)
    context.session.append('todo/write', { todos })
    return textOutcome(summary(todos))
  },
}

function summary(todos: readonly TodoItem[]): string {
  const count = (status: TodoItem['status']): number =>
    todos.filter((todo) => todo.status === status).length
  return `Updated todo list: ${count('pending')} pending, ${count('in_progress')} in progress, ${count('completed')} completed.`
}
