import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MemorySession } from '../compose/memory-session.ts'
import { call } from '../observer/call.ts'
import { SIDECAR_NAMES } from '../observer/trace/sidecar-files.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { RECORDING_SOURCES } from '../viewer/model/recording.ts'
import { staticPage, viewerAssets } from '../viewer/page.ts'
import { type BuiltRecording, recordTrace } from './record-trace.ts'

/** A recording as one HTML file, with its pictures. `other` is compared with it. */
export async function recordingHtml({ recording, tiles }: BuiltRecording, other?: BuiltRecording): Promise<string> {
  const { blocks } = RECORDING_SOURCES
  const files = new Map([...tiles, ...(other?.tiles ?? [])])
  return staticPage({ entrance: 'recording', title: recording.title }, await viewerAssets(), {
    [blocks.recording]: recording,
    ...(other && { [blocks.other]: other.recording }),
    [blocks.tiles]: Object.fromEntries([...files].map(([hash, file]) => [hash, file.toString('base64')])),
  })
}

/** Ends the trace of a desktop in memory, and writes it with a page of each step into a folder. Without a trace it does nothing. */
export async function keepRun(
  { session, artifacts }: Pick<MemorySession, 'session' | 'artifacts'>,
  scenario: Scenario,
  folder: string,
): Promise<void> {
  if (!session.context.tracing.active) return
  const { body } = await call(session, 'trace_stop', {})
  const path = String(body.path)
  const read = (name: string) => {
    const content = artifacts.get(path.replace(/trace\.jsonl$/, name))
    return content === undefined ? undefined : Buffer.from(content as string)
  }
  mkdirSync(folder, { recursive: true })
  for (const name of ['trace.jsonl', ...SIDECAR_NAMES.map((each) => `${each}.jsonl`)]) {
    const content = read(name)
    if (content) writeFileSync(join(folder, name), content)
  }
  const text = String(artifacts.get(path))
  const built = await recordTrace({ path: folder, text, read }, { loaded: scenario })
  writeFileSync(join(folder, 'recording.html'), await recordingHtml(built))
}
