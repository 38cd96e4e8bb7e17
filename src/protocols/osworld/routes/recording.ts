import type { FastifyInstance } from 'fastify'
import { screenArea } from '../../../adapters/computer.ts'
import { assertToolAllowed } from '../../../observer/gates/allowlist.ts'
import { findTool } from '../../../observer/registry.ts'
import type { Session } from '../../../observer/session/session.ts'
import { pointedPicture } from '../../../observer/tools/capture.ts'
import type { ServerContext } from '../context.ts'
import type { Recorder } from '../recording/recorder.ts'

/** Routes that record the screen as a video. */
export function recordingRoutes(app: FastifyInstance, { callerOf, recorder }: ServerContext): void {
  app.post('/start_recording', async (request) => {
    const { session } = callerOf(request)
    assertToolAllowed(findTool('capture_screen')!, session.context.settings)
    await recorder.start()
    await recordScreen(recorder, session)
    return { status: 'success', message: 'Started recording successfully.' }
  })

  app.post('/end_recording', async (request, reply) => {
    const { session } = callerOf(request)
    await recordScreen(recorder, session)
    return reply.type('video/mp4').send(await recorder.stop(session.clock.now()))
  })
}

/** Adds the screen with the pointer, as screenshots show it, to a running recording. */
export async function recordScreen(recorder: Recorder, { computer, clock }: Session): Promise<void> {
  if (!recorder.isRecording) return
  const screen = screenArea(computer.info.synthetic, await computer.monitors())
  recorder.frame(await pointedPicture(computer, await computer.screenshot({ screen: true }), screen), clock.now())
}
