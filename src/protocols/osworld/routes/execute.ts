import { Fault } from '../../../base/fault.ts'
import type { Route } from '../../http/route.ts'
import { postAnswers, route, runCommand, type ServerContext } from '../commands.ts'
import { callTool, type ToolCaller, waitFor } from '../machine.ts'
import { MAX_RUN_MS, runPython, withinTime } from '../programs.ts'
import {
  Execute,
  ExecuteAndVerify,
  Executed,
  RanPython,
  RanScript,
  RunBashScript,
  RunPython,
  Verified,
} from '../wire.ts'

const MAX_CHECKS = 1000
const MIN_INTERVAL_S = 0.1

/** Routes that run commands and programs. */
export const EXECUTE_ROUTES: readonly Route<ServerContext>[] = [
  ...['/execute', '/setup/execute'].map((path) =>
    route(
      { method: 'post', path, summary: 'Run a program.', body: Execute, responses: postAnswers(Executed) },
      async (context, { body, request }) => {
        const { command, shell } = body()
        return { status: 'success', ...(await runCommand(context, context.callerOf(request), command, shell)) }
      },
    ),
  ),

  ...['/execute_with_verification', '/setup/execute_with_verification'].map((path) =>
    route(
      {
        method: 'post',
        path,
        summary: 'Run a program and wait for its effect.',
        body: ExecuteAndVerify,
        responses: postAnswers(Verified),
      },
      (context, { body, request, reply }) => {
        const asked = body()
        const { window_exists, command_success } = asked.verification
        const called = context.callerOf(request)
        const work = async (signal: AbortSignal) => {
          const caller = { ...called, signal }
          const result = await runCommand(context, caller, asked.command, asked.shell)
          if (!window_exists && command_success === undefined) return { status: 'success' as const, ...result }
          const waitS = await verified(context, caller, asked)
          if (waitS !== undefined)
            return { status: 'success' as const, ...result, verification: 'passed' as const, wait_time: waitS }
          const message = `the verification has not passed within ${asked.max_wait_time} seconds`
          return reply.code(500).send({ status: 'error', message, ...result, verification: 'failed' })
        }
        return withinTime(MAX_RUN_MS, work, called.signal)
      },
    ),
  ),

  route(
    { method: 'post', path: '/run_python', summary: 'Run Python.', body: RunPython, responses: postAnswers(RanPython) },
    async (context, { body, request }) => {
      const { code } = body()
      const caller = context.callerOf(request)
      const { output, error, returnCode } = await context.programs.inTurn(() => runPython(caller, code))
      const status = returnCode === 0 ? 'success' : 'error'
      return { status, message: `${output}${error}`, need_more: false, output, error, return_code: returnCode }
    },
  ),

  route(
    {
      method: 'post',
      path: '/run_bash_script',
      summary: 'Run a script.',
      body: RunBashScript,
      responses: postAnswers(RanScript),
    },
    async (context, { body, request }) => {
      const { script } = body()
      const result = await runCommand(context, context.callerOf(request), script, true)
      const status = result.returncode === 0 ? 'success' : 'error'
      return { status, output: result.output + result.error, error: '', returncode: result.returncode }
    },
  ),
]

/** Waits until the verification passes, in the time of the desktop. Returns the seconds waited, or undefined if it never does. */
async function verified(
  context: ServerContext,
  caller: ToolCaller,
  { verification, shell, max_wait_time, check_interval }: ExecuteAndVerify,
): Promise<number | undefined> {
  const { operatorClock, clock } = caller.session
  const endMs = operatorClock.now() + MAX_RUN_MS
  const startMs = clock.now()
  const intervalS = Math.max(MIN_INTERVAL_S, check_interval, max_wait_time / MAX_CHECKS)
  for (;;) {
    if (await passes()) return (clock.now() - startMs) / 1000
    if ((clock.now() - startMs) / 1000 >= max_wait_time) return undefined
    if (operatorClock.now() > endMs) throw new Fault('Timeout', 'the verification took too long')
    await waitFor(caller, intervalS * 1000)
  }

  async function passes(): Promise<boolean> {
    const { window_exists, command_success } = verification
    if (window_exists) {
      const { windows } = await callTool(caller, 'list_windows', {})
      if (!windows.some(({ title }) => title.includes(window_exists))) return false
    }
    if (command_success === undefined) return true
    return (await runCommand(context, caller, command_success, shell)).returncode === 0
  }
}
