import * as z from 'zod'

const MAX_WORDS = 1000
const MAX_LINE_CHARACTERS = 500_000

const CommandWords = z
  .union([z.string().max(MAX_LINE_CHARACTERS), z.array(z.string()).max(MAX_WORDS)])
  .describe('["python", "-c", CODE], or a line as a shell reads it')

/** The body of `POST /execute`. */
export const Execute = z.looseObject({
  command: CommandWords,
  shell: z.boolean().default(false).describe('Whether errors are those of a shell'),
})

/** The body of `POST /execute_with_verification`. */
export const ExecuteAndVerify = Execute.extend({
  verification: z
    .looseObject({
      window_exists: z.string().optional().describe('A part of the title of a window'),
      command_success: CommandWords.optional().describe('A command whose exit status must be 0'),
    })
    .default({}),
  max_wait_time: z.number().min(0).max(3600).default(10).describe('In seconds, in the time of the desktop'),
  check_interval: z.number().min(0).max(3600).default(1).describe('In seconds, in the time of the desktop'),
})
export type ExecuteAndVerify = z.infer<typeof ExecuteAndVerify>

export const RunPython = z.looseObject({ code: z.string() })

export const RunBashScript = z.looseObject({
  script: z.string().max(MAX_LINE_CHARACTERS),
  timeout: z.number().default(100),
  working_dir: z.string().nullish(),
})

export const PathBody = z.looseObject({ path: z.string().min(1) })

export const DownloadBody = z.looseObject({ url: z.string().min(1), path: z.string().min(1) })

export const Launch = Execute

export const WindowBody = z.looseObject({
  window_name: z.string().min(1),
  strict: z.boolean().default(false).describe('Whether the whole name must match'),
  by_class: z.boolean().default(false).describe('Whether the name is that of the program'),
})

export const Executed = z.object({
  status: z.literal('success'),
  output: z.string(),
  error: z.string(),
  returncode: z.int(),
})

export const Verified = Executed.extend({
  verification: z.literal('passed').optional(),
  wait_time: z.number().optional(),
})

export const RanPython = z.object({
  status: z.enum(['success', 'error']),
  message: z.string(),
  need_more: z.literal(false),
  output: z.string(),
  error: z.string(),
  return_code: z.int(),
})

export const RanScript = z.object({
  status: z.enum(['success', 'error']),
  output: z.string(),
  error: z.string(),
  returncode: z.int(),
})

export const ScreenSize = z.object({ width: z.int(), height: z.int() })

/** A folder with its files, at any depth. */
export interface DirectoryTree {
  readonly type: 'directory' | 'file'
  readonly name: string
  readonly children?: DirectoryTree[]
}
