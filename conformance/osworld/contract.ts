import * as z from 'zod'
import type { Contract, Operation, ResponseBody } from '../contract/contract.ts'

const text = z.string()
const SERVER = 'OSWorld, control server'

/** The result of a command. */
export const ExecuteResult = z.looseObject({
  status: z.literal('success'),
  output: text,
  error: text,
  returncode: z.int(),
})

/** A command that could not be started, or took too long. */
export const ErrorBody = z.looseObject({ status: z.literal('error'), message: text })

export const VerifiedResult = z.looseObject({
  status: z.literal('success'),
  output: text,
  error: text,
  returncode: z.int(),
})

export const FailedVerification = z.looseObject({ verification: z.literal('failed') })

export const Terminal = z.looseObject({ output: text.nullable(), status: z.literal('success') })
export const Accessibility = z.looseObject({ AT: text.min(1) })
export const Size = z.looseObject({ width: z.int().positive(), height: z.int().positive() })
export const Position = z.tuple([z.int(), z.int()])
export const DesktopPath = z.looseObject({ desktop_path: text.min(1) })

const Entry = z.looseObject({ type: z.enum(['directory', 'file']), name: text })
export const DirectoryTree = z.looseObject({
  directory_tree: z.looseObject({ type: z.literal('directory'), name: text, children: z.array(Entry) }),
})

export const Recording = z.looseObject({ status: text, message: text })

export const PythonResult = z.looseObject({
  status: text,
  message: text,
  need_more: z.literal(false),
  output: text,
  error: text,
  return_code: z.int(),
})

export const BashResult = z.looseObject({ status: text, output: text, error: z.literal(''), returncode: z.int() })

const Command = z.looseObject({ command: z.union([text, z.array(text)]), shell: z.boolean().optional() })

/** The document gives these statuses without a body. */
const BARE = { 400: 'bytes', 404: 'bytes', 500: 'bytes' } as const

const operation = (
  covers: readonly string[],
  responses: Readonly<Record<number, ResponseBody>>,
  more: Pick<Operation, 'body' | 'optional'> = {},
): Operation => ({ covers, source: SERVER, responses, ...more })

/** Requests without the fields of the document meet the web framework, which refuses them in its own words. */
const execute = (covers: string): Operation =>
  operation([covers], { 200: ExecuteResult, 400: 'bytes', 415: 'bytes', 500: ErrorBody }, { body: Command })

const verified = (covers: string): Operation =>
  operation([covers], { 200: VerifiedResult, 500: z.union([ErrorBody, FailedVerification]) }, { body: Command })

/** The control server in the machines of OSWorld, on port 5000. */
export const osworldContract: Contract = {
  protocol: 'osworld',
  shapes: {
    BashResult,
    Command,
    DirectoryTree,
    ErrorBody,
    ExecuteResult,
    FailedVerification,
    PythonResult,
    VerifiedResult,
  },
  operations: {
    'POST /execute': execute('OW-R1'),
    'POST /setup/execute': execute('OW-R2'),
    'POST /execute_with_verification': verified('OW-R3'),
    'POST /setup/execute_with_verification': verified('OW-R4'),
    'POST /setup/launch': operation(['OW-R5'], { 200: 'bytes', 500: ErrorBody }, { body: Command, optional: true }),
    'GET /screenshot': operation(['OW-R6'], { 200: 'bytes' }),
    'GET /terminal': operation(['OW-R7'], { 200: Terminal, 500: 'bytes' }),
    'GET /accessibility': operation(['OW-R8'], { 200: Accessibility }),
    'POST /screen_size': operation(['OW-R9'], { 200: Size }),
    'POST /window_size': operation(['OW-R10'], { 200: Size, 400: 'bytes', 404: 'bytes', 500: 'bytes' }),
    'POST /desktop_path': operation(['OW-R11'], { 200: DesktopPath, 404: 'bytes' }),
    'POST /wallpaper': operation(['OW-R12'], { 200: 'bytes', ...BARE }),
    'POST /list_directory': operation(['OW-R13'], { 200: DirectoryTree, 400: 'bytes' }),
    'POST /file': operation(['OW-R14'], { 200: 'bytes', ...BARE }),
    'POST /setup/upload': operation(['OW-R15'], { 200: 'bytes', 400: 'bytes', 500: 'bytes' }),
    'GET /platform': operation(['OW-R16'], { 200: 'bytes' }),
    'GET /cursor_position': operation(['OW-R17'], { 200: Position }),
    'POST /setup/change_wallpaper': operation(['OW-R18'], { 200: 'bytes', ...BARE }),
    'POST /setup/download_file': operation(
      ['OW-R19'],
      { 200: 'bytes', 400: 'bytes', 500: 'bytes' },
      { optional: true },
    ),
    'POST /setup/open_file': operation(['OW-R20'], { 200: 'bytes', ...BARE }, { optional: true }),
    'POST /setup/activate_window': operation(['OW-R21'], { 200: 'bytes', ...BARE }),
    'POST /setup/close_window': operation(['OW-R22'], { 200: 'bytes', ...BARE }),
    'POST /start_recording': operation(['OW-R23'], { 200: Recording, 400: 'bytes', 500: 'bytes' }, { optional: true }),
    'POST /end_recording': operation(['OW-R24'], { 200: 'bytes', 400: 'bytes', 500: 'bytes' }, { optional: true }),
    'POST /run_python': operation(['OW-R25'], { 200: PythonResult, 400: 'bytes', 500: 'bytes' }),
    'POST /run_bash_script': operation(['OW-R26'], { 200: BashResult, 400: 'bytes', 500: 'bytes' }, { optional: true }),
  },
  events: {},
  messages: {},
}
