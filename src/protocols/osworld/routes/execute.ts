import type { FastifyInstance } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import { readBody } from '../../http/app.ts'
import type { ServerContext } from '../context.ts'
import { MAX_RUN_MS, runPython, withinTime } from '../programs.ts'
import { runCommand } from '../run-command.ts'
import { callTool, type ToolCaller, waitFor } from '../tool-caller.ts'
import { Execute, ExecuteAndVerify, RunBashScript, RunPython } from '../wire.ts'

const MAX_CHECKS = 1000
const MIN_INTERVAL_S = 0.1

/** Routes that run commands and programs. */
export function executeRoutes(app: FastifyInstance, context: ServerContext): void {
  for (const path of ['/execute', '/setup/execute'])
    app.post(path, async (request) => {
      const { command, shell } = readBody(Execute, request.body)
      return { status: 'success', ...(await runCommand(context, context.callerOf(request), command, shell)) }
    })

  for (const path of ['/execute_with_verification', '/setup/execute_with_verification'])
    app.post(path, async (request, reply) => {
      const body = readBody(ExecuteAndVerify, request.body)
      const { window_exists, command_success } = body.verification
      const called = context.callerOf(request)
      const work = async (signal: AbortSignal) => {
        const caller = { ...called, signal }
        const result = await runCommand(context, caller, body.command, body.shell)
        if (!window_exists && command_success === undefined) return { status: 'success', ...result }
        const waitS = await verified(context, caller, body)
        if (waitS !== undefined) return { status: 'success', ...result, verification: 'passed', wait_time: waitS }
        const message = `the verification has not passed within ${body.max_wait_time} seconds`
        return reply.code(500).send({ status: 'error', message, ...result, verification: 'failed' })
      }
      return withinTime(MAX_RUN_MS, work, called.signal)
    })

  app.post('/run_python', async (request) => {
    const { code } = readBody(RunPython, request.body)
    const caller = context.callerOf(request)
    const { output, error, returnCode } = await context.programs.inTurn(() => runPython(caller, code))
    const status = returnCode === 0 ? 'success' : 'error'
    return { status, message: `${output}${error}`, need_more: false, output, error, return_code: returnCode }
  })

  app.post('/run_bash_script', async (request) => {
    const { script } = readBody(RunBashScript, request.body)
    const result = await runCommand(context, context.callerOf(request), script, true)
    const status = result.returncode === 0 ? 'success' : 'error'
    return { status, output: result.output + result.error, error: '', returncode: result.returncode }
  })
}

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
