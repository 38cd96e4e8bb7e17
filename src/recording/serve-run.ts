import type { AddressInfo } from 'node:net'
import { Fault } from '../base/fault.ts'
import { createApp } from '../protocols/http/app.ts'
import { HTTP_STATUS } from '../protocols/http/status.ts'
import { RECORDING_SOURCES } from '../viewer/model/recording.ts'
import { serveViewer } from '../viewer/page.ts'
import type { OpenedStep, RecordedRun } from './read-run.ts'

/** A recorded run that is served, with those that it is compared with. */
export interface ServedRun {
  readonly run: RecordedRun
  readonly other?: RecordedRun | undefined
  /** 0: any free port. */
  readonly port: number
  readonly report: (bug: unknown) => void
}

/** Live sessions that were opened from a page; opening another closes the oldest. */
const MAX_OPEN = 4

/** Serves the page of a recorded run on this machine only. */
export async function serveRun({
  run,
  other,
  port,
  report,
}: ServedRun): Promise<{ url: string; close(): Promise<void> }> {
  const app = createApp({
    hosts: [],
    origins: [],
    pages: 'own',
    bodyLimit: 1024,
    cors: false,
    onBug: report,
    sendFault: ({ code, message }, reply) =>
      reply.status(HTTP_STATUS[code]).send({ ok: false, error: { code, message } }),
  })
  const { paths } = RECORDING_SOURCES
  const tiles = new Map([...run.tiles, ...(other?.tiles ?? [])])
  const opened: OpenedStep[] = []
  let opening: Promise<unknown> = Promise.resolve()
  await serveViewer(app, { '/': { entrance: 'recording', title: run.recording.title } })
  app.get(paths.recording, async () => run.recording)
  app.get(paths.other, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(other?.recording ?? null)),
  )
  app.get<{ Params: { name: string } }>(`${paths.tiles}:name`, async ({ params: { name } }, reply) => {
    const file = tiles.get(name.replace(/\.png$/, ''))
    if (!file) throw new Fault('SessionNotFound', `there is no picture ${JSON.stringify(name)}`)
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(file)
  })
  app.post<{ Querystring: { step?: string } }>(paths.open, async ({ query }) => {
    const open = run.open
    if (!open)
      throw new Fault('PlatformUnsupported', 'the scenario of this run is not known, so that it cannot be opened')
    const next = opening.then(() => open(/^\d{1,9}$/.test(query.step ?? '') ? Number(query.step) : Number.NaN))
    opening = next.catch(() => {})
    const session = await next
    opened.push(session)
    if (opened.length > MAX_OPEN) await opened.shift()!.close()
    return { ok: true, url: session.url }
  })
  await app.listen({ host: '127.0.0.1', port })
  const { port: bound } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}/`,
    close: async () => {
      await app.close()
      await opening
      await Promise.all(opened.map((session) => session.close()))
    },
  }
}
