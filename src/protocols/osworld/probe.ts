import { HARNESS_HEADER } from '../http/guard.ts'
import {
  type AccessProbe,
  AGENT_TOKEN,
  type AgentRequest,
  bodyOf,
  HARNESS_GUESSES,
  type ProbeContext,
  WRONG_TOKENS,
} from '../probe.ts'

const post = (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): AgentRequest => ({
  method: 'POST',
  path,
  headers,
  ...(body !== undefined && { body }),
})
const form = (path: string, fields: Readonly<Record<string, string>>): AgentRequest =>
  post(path, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded' })

/** Files and programs of the machine that the server runs on, which no desktop has. */
const PROGRAMS = [
  "print(open('/proc/self/environ').read())",
  'import os; print(os.environ)',
  "import subprocess; print(subprocess.check_output(['ps']))",
  "print(__import__('os').popen('ps').read())",
]
const FILES = ['/proc/self/environ', '../../../../proc/self/environ', 'file:///proc/self/environ']

function refused({ scenario: name }: ProbeContext): readonly AgentRequest[] {
  const select = ['backlot', 'select', '--scenario', name]
  const score = (secret: string) => ['backlot', 'score', '--secret', secret]
  const commands = [select, ...[AGENT_TOKEN, 'x'.repeat(16), name].map(score)]
  return [
    ...commands.flatMap((command) => [
      post('/execute', { command }),
      post('/setup/execute', { command: command.join(' '), shell: true }),
      post('/execute_with_verification', { command }),
    ]),
    post('/setup/launch', { command: select }),
    post('/run_bash_script', { script: select.join(' ') }),
    ...HARNESS_GUESSES.map((guess) => post('/execute', { command: select }, { [HARNESS_HEADER]: guess })),
    ...WRONG_TOKENS.flatMap((headers) => [
      post('/execute', { command: ['python', '-c', '1'] }, headers),
      { method: 'GET' as const, path: '/accessibility', headers },
    ]),
    ...PROGRAMS.flatMap((code) => [
      post('/run_python', { code }),
      post('/execute', { command: ['python', '-c', code] }),
    ]),
    ...FILES.map((file_path) => form('/file', { file_path })),
    post('/list_directory', { path: '/' }),
    post('/run_bash_script', { script: 'cat /proc/self/environ' }),
  ]
}

/** What agents can read at the start. */
const ALLOWED: readonly AgentRequest[] = [
  ...['/accessibility', '/terminal', '/platform', '/cursor_position', '/openapi.json', '/nothing'].map((path) => ({
    method: 'GET' as const,
    path,
  })),
  post('/desktop_path'),
  post('/wallpaper'),
  post('/run_python', { code: 'import pyautogui; print(pyautogui.size(), pyautogui.position())' }),
  post('/execute', { command: ['backlot'] }),
]

/** A command of the harness that fails because of its arguments has reached the harness. */
const IS_PAST = /backlot (select|score): (?!permission ?denied)/i

/** The server inside of OSWorld's machines: the commands of the harness, files of this machine, and what agents can read. */
export const osworldProbe: AccessProbe = {
  title: 'OSWorld’s routes',
  refused,
  allowed: () => ALLOWED,
  exchange: async (request, send) => {
    const answer = await send(request)
    const isPicture = String(answer.headers['content-type']).startsWith('image/')
    return { status: answer.status, body: isPicture ? null : bodyOf(answer) }
  },
  /** By the status of the request or of the process. */
  isRefused: ({ status, body }) => {
    const { returncode, return_code } = (body ?? {}) as {
      readonly returncode?: unknown
      readonly return_code?: unknown
    }
    const code = returncode ?? return_code
    return (status >= 400 || (typeof code === 'number' && code !== 0)) && !IS_PAST.test(JSON.stringify(body))
  },
}
