import { expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { galleryNames } from '../compose/gallery.ts'
import { AGENT_TRACING } from '../compose/memory-session.ts'
import { playSolution } from '../compose/play-solution.ts'
import { openDesktop } from '../testing.ts'
import { readRecording } from '../viewer/model/read-recording.ts'
import { recordTrace } from './record-trace.ts'

// Rules such as [RC2] are stated in README.md beside this file.

const CASES = galleryNames().flatMap((name) => [
  { name, variant: {}, seed: undefined },
  { name, variant: { theme: 'dark', scale: 1.25, personality: 'windows-uia' }, seed: 3 },
])

it.each(shareOf(CASES))(
  '[RC2] [RC3] records the solution of $name in the variant $variant',
  async ({ name, variant, seed }) => {
    const isVaried = Object.keys(variant).length > 0
    const desktop = openDesktop({
      scenario: name,
      config: { tracing: AGENT_TRACING },
      ...(seed !== undefined && { seed }),
      ...(isVaried && { variant }),
    })
    await desktop.call('trace_start')
    for await (const { failure } of playSolution(desktop, desktop.computer.loadedScenario.solutions[0]))
      expect(failure).toBeUndefined()
    const { path } = await desktop.call('trace_stop')
    const text = String(desktop.artifacts.get(path))
    const { recording } = await recordTrace({ path: name, text, read: () => undefined })
    expect(recording.warnings).toEqual([])
    expect(recording.verdict?.success ?? true).toBe(true)
    expect(recording.moments.every(({ frame, desk }) => frame !== undefined && desk !== undefined)).toBe(true)
    expect(recording.moments).toHaveLength(recording.steps.length + 1)
    expect(readRecording(JSON.parse(JSON.stringify(recording)))).toEqual(recording)
    // A solution may only report that its task is impossible.
    const onElements = recording.steps.filter(({ acts, hit }) => acts && hit)
    expect(onElements.some(({ meant }) => meant)).toBe(onElements.length > 0)
  },
)
