import type { ToolDisplay } from 'dsh-tools'
import { z } from 'zod'

/** A path argument. */
export function filePath(description: string): z.ZodString {
  return z
    .string()
    .min(1)
    .refine((path) => !path.includes('\0'), 'Invalid path: it contains a NUL character')
    .describe(description)
}

/** How a call on one file is shown, whatever the model wrote. */
export function fileDisplay(verb: string, args: unknown): ToolDisplay {
  const path = (args as { file_path?: unknown } | null | undefined)?.file_path
  return typeof path === 'string' ? { title: `${verb} ${path}`, paths: [path] } : { title: verb }
}
