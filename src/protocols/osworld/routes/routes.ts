import * as z from 'zod'
import { screenArea } from '../../../adapters/computer.ts'
import { Fault } from '../../../base/fault.ts'
import { assertToolAllowed } from '../../../observer/gates/allowlist.ts'
import { findTool } from '../../../observer/registry.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import { pointedPicture } from '../../../observer/tools/capture.ts'
import type { ApiDescription } from '../../http/document.ts'
import type { Route } from '../../http/route.ts'
import { postAnswers, route, runCommand, type ServerContext } from '../commands.ts'
import { callTool, type ToolCaller, waitFor } from '../machine.ts'
import { MAX_RUN_MS, runPython, withinTime } from '../programs.ts'
import type { ScreenRecorder } from '../recording/screen-recorder.ts'
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
import { CHROMIUM_ROUTES } from './chromium.ts'
import { FILE_ROUTES } from './files.ts'
import { SCREEN_ROUTES } from './screen.ts'
import { SETUP_ROUTES, WALLPAPER_ROUTE } from './setup.ts'

/** Routes that record the screen as a video. */
const RECORDING_ROUTES: readonly Route<ServerContext>[] = [
  route(
    {
      method: 'post',
      path: '/start_recording',
      summary: 'Start recording the screen.',
      responses: postAnswers(z.object({ status: z.literal('success'), message: z.string() })),
    },
    async ({ callerOf, recorder }, { request }) => {
      const { session } = callerOf(request)
      assertToolAllowed(findTool('capture_screen')!, session.context.settings)
      await recorder.start()
      try {
        await recordScreen(recorder, session)
      } catch (thrown) {
        recorder.discard()
        throw thrown
      }
      return { status: 'success', message: 'Started recording successfully.' }
    },
  ),

  route(
    {
      method: 'post',
      path: '/end_recording',
      summary: 'End the recording and return it as a video.',
      responses: postAnswers('video/mp4'),
    },
    async ({ callerOf, recorder }, { request, reply }) => {
      const { session } = callerOf(request)
      try {
        await recordScreen(recorder, session)
      } catch (thrown) {
        // The film has the pictures that the budget allowed.
        if (!(thrown instanceof Fault) || thrown.code !== 'BudgetExceeded') throw thrown
      }
      return reply.type('video/mp4').send(await recorder.stop(session.clock.now()))
    },
  ),
]

/**
 * Adds the screen with the pointer, as screenshots show it, to a running recording. Each picture counts as a screenshot. Throws
 * `BudgetExceeded` when none is left.
 */
export async function recordScreen(
  recorder: ScreenRecorder,
  { budget, computer, clock }: DesktopSession,
): Promise<void> {
  if (!recorder.isRecording) return
  const picture = await budget.spendScreenshot(async () => {
    const screen = screenArea(computer.info.synthetic, await computer.monitors())
    return pointedPicture(computer, await computer.screenshot({ screen: true }), screen)
  })
  recorder.frame(picture, clock.now())
}

const MAX_CHECKS = 1000
const MIN_INTERVAL_S = 0.1

/** Routes that run commands and programs. */
const EXECUTE_ROUTES: readonly Route<ServerContext>[] = [
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

/** All routes, in the order of the document. */
export const ROUTES: readonly Route<ServerContext>[] = [
  ...SCREEN_ROUTES,
  ...CHROMIUM_ROUTES,
  ...EXECUTE_ROUTES,
  ...FILE_ROUTES,
  ...SETUP_ROUTES,
  ...RECORDING_ROUTES,
  WALLPAPER_ROUTE,
]

/** The description from which the OpenAPI document is generated. */
export const osworldApi: ApiDescription = {
  title: "Server inside of OSWorld's machines",
  version: '1.0.0',
  description: 'A desktop for runners of OSWorld: screenshots, programs with pyautogui, files and windows.',
  url: 'http://127.0.0.1:5000',
  bearer: true,
  operations: ROUTES,
  channels: [],
}
