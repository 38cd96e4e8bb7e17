import * as z from 'zod'
import { screenArea } from '../../../adapters/computer.ts'
import { Fault } from '../../../base/fault.ts'
import { assertToolAllowed } from '../../../observer/gates/allowlist.ts'
import { findTool } from '../../../observer/registry.ts'
import type { Session } from '../../../observer/session/session.ts'
import { pointedPicture } from '../../../observer/tools/capture.ts'
import type { Route } from '../../http/route.ts'
import { postAnswers, route, type ServerContext } from '../commands.ts'
import type { Recorder } from '../recording/recorder.ts'

/** Routes that record the screen as a video. */
export const RECORDING_ROUTES: readonly Route<ServerContext>[] = [
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
export async function recordScreen(recorder: Recorder, { budget, computer, clock }: Session): Promise<void> {
  if (!recorder.isRecording) return
  const picture = await budget.spendScreenshot(async () => {
    const screen = screenArea(computer.info.synthetic, await computer.monitors())
    return pointedPicture(computer, await computer.screenshot({ screen: true }), screen)
  })
  recorder.frame(picture, clock.now())
}
