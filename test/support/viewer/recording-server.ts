import Fastify, { type FastifyInstance } from 'fastify'
import { RECORDING_SOURCES } from '../../../src/viewer/model/recording.ts'
import { serveViewer } from '../../../src/viewer/page.ts'
import type { RecordingFiles } from './generated-recording.ts'

const { paths } = RECORDING_SOURCES

/** What a server of a recording has. */
export interface ServedFiles {
  readonly recording: unknown
  readonly tiles?: RecordingFiles['tiles']
  readonly other?: RecordingFiles | undefined
  /** Answers "open here" with the URL of a live session. */
  readonly open?: (step: string) => string
}

/** Serves the page of a recording as `backlot show-trace` does. */
export async function serveRecordingFiles(files: ServedFiles): Promise<FastifyInstance> {
  const app = Fastify()
  await serveViewer(app, { '/': { entrance: 'recording', title: 'Recording' } })
  app.get(paths.recording, (_request, reply) => reply.send(files.recording))
  app.get(paths.other, (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(files.other?.recording ?? null)),
  )
  app.get<{ Params: { file: string } }>(`${paths.tiles}:file`, (request, reply) => {
    const hash = request.params.file.replace(/\.png$/, '')
    const tile = files.tiles?.get(hash) ?? files.other?.tiles.get(hash)
    if (!tile) return reply.status(404).send({ error: 'there is no such tile' })
    return reply.type('image/png').header('cache-control', 'max-age=31536000, immutable').send(tile)
  })
  const { open } = files
  if (open) app.post<{ Querystring: { step: string } }>(paths.open, (request) => ({ url: open(request.query.step) }))
  return app
}
