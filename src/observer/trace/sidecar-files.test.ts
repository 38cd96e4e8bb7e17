import { describe, expect, it } from 'vitest'
import { memoryOutput } from '../../stores/memory.ts'
import { secretNames } from '../policies/secrets.ts'
import { SidecarFiles, type SidecarOptions, type TracedEvent } from './sidecar-files.ts'

// Rules such as [OB165] are stated in SPEC.md of the observer.

const NOW = { operatorMs: 1000, desktopMs: 0, scenarioMs: 5 }
const EVENT: TracedEvent = { protocol: 'navi', conversation: 'c', direction: 'out', name: 'plan', content: {} }

function open(parts: Partial<SidecarOptions> = {}) {
  const written = new Map<string, string | Uint8Array>()
  const directory = memoryOutput('t', written)
  const files = new SidecarFiles({ directory, isSecret: secretNames(['value']), ...parts })
  const text = () => String(written.get('t/events.jsonl') ?? '')
  const lines = () =>
    text()
      .split('\n')
      .slice(0, -1)
      .map((line): Record<string, unknown> => JSON.parse(line))
  return { files, text, lines }
}

describe('[OB165] the events beside a trace', () => {
  it('have protocol, conversation, direction, name, content and both times', () => {
    const { files, lines } = open()
    files.event({ ...EVENT, content: { message: 'First look.' }, endsRun: true }, 3, NOW)
    expect(lines()).toEqual([
      {
        after: 3,
        ts: '1970-01-01T00:00:01.000000+00:00',
        desktop_ts: '1970-01-01T00:00:00.005000+00:00',
        protocol: 'navi',
        conversation: 'c',
        direction: 'out',
        name: 'plan',
        content: { message: 'First look.' },
      },
    ])
  })

  it('are written when their run ends, without what a later event or row hides', () => {
    const { files, text } = open()
    files.event({ ...EVENT, content: { message: 'Type hun"ter2 and then top secret.' } }, 0, NOW)
    files.event({ ...EVENT, content: { args: { value: 'hun"ter2' } } }, 0, NOW)
    files.event({ ...EVENT, content: { details: JSON.stringify({ value: 'hun"ter2' }) } }, 0, NOW)
    files.hide(['top secret'])
    expect(text()).toBe('')
    files.event({ ...EVENT, endsRun: true }, 1, NOW)
    expect(text()).not.toMatch(/hun|ter2|secret/)
    expect(text()).toContain('"message":"Type <redacted> and then <redacted>."')
    files.event({ ...EVENT, content: { message: 'It was hun"ter2.' }, endsRun: true }, 1, NOW)
    expect(text()).toContain('"message":"It was <redacted>."')
  })

  it('are cut at 16 KiB, and hold at most 1 MiB', () => {
    const { files, lines } = open()
    const long = { ...EVENT, content: { message: 'x'.repeat(100_000) } }
    for (let count = 0; count < 15; count++) files.event(long, 0, NOW)
    expect(lines()).toEqual([])
    for (let count = 0; count < 5; count++) files.event(long, 0, NOW)
    expect(lines()).toHaveLength(16)
    expect(lines()[0]!.content).toEqual({ __truncated: true, preview: expect.stringMatching(/^\{"message":"x+$/) })
    expect(JSON.stringify(lines()[0]).length).toBeLessThan(16 * 1024)
  })

  it('end at the size of the file with one event that says so', () => {
    const { files, lines } = open({ maxEventsBytes: 1000 })
    for (let count = 0; count < 50; count++) files.event({ ...EVENT, endsRun: true }, count, NOW)
    const last = lines().at(-1)!
    expect([last.name, last.content]).toEqual(['events_omitted', 'later events would exceed 1000 bytes'])
    expect(lines().filter(({ name }) => name === 'events_omitted')).toHaveLength(1)
    expect(JSON.stringify(lines()).length).toBeLessThan(1500)
  })
})

it('[OB164] a full disk leaves the files beside a trace incomplete', () => {
  const append = () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  const directory = { ...memoryOutput('t', new Map()), lines: (name: string) => ({ path: name, append }) }
  const { files } = open({ directory })
  expect(() => files.note('wire', { method: 'GET' })).not.toThrow()
  expect(() => files.event({ ...EVENT, endsRun: true }, 0, NOW)).not.toThrow()
})
