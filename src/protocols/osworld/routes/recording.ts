import type { FastifyInstance } from 'fastify'
import { screenArea } from '../../../adapters/computer.ts'
import { contains } from '../../../desktop/model/geometry.ts'
import type { Session } from '../../../observer/session/session.ts'
import { withPointer } from '../../../paint/pointer.ts'
import type { ServerContext } from '../context.ts'
import type { Recorder } from '../recording/recorder.ts'

/** Routes that record the screen as a video. */
export function recordingRoutes(app: FastifyInstance, { callerOf, recorder }: ServerContext): void {
  app.post('/start_recording', async (request) => {
    await recorder.start()
    await recordScreen(recorder, callerOf(request).session)
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
  const monitors = await computer.monitors()
  const area = screenArea(computer.info.synthetic, monitors)
  const { at } = await computer.pointer()
  const scale = monitors.find(({ bounds }) => contains(bounds, at))?.scaleFactor
  const picture = await computer.screenshot({ screen: true })
  recorder.frame(withPointer(picture, { x: at.x - area.x, y: at.y - area.y }, scale), clock.now())
}
