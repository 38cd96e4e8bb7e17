import type { Recording, RecordingTables, StoredElement, ViewerStep } from '../../../src/viewer/model/recording.ts'

const NO_TABLES: RecordingTables = { tileSize: 64, tiles: [], frames: [], desks: [], elements: [], values: [null] }

/** A recording with given parts, and nothing else. Without moments, it has one for each step. */
export function smallRecording({
  tables,
  ...parts
}: Partial<Omit<Recording, 'tables'>> & { readonly tables?: Partial<RecordingTables> } = {}): Recording {
  const steps = parts.steps ?? []
  return {
    format: 'backlot-recording-1',
    title: 'Small',
    source: 'backlot',
    warnings: [],
    oracles: [],
    moments: Array.from({ length: steps.length + 1 }, () => ({ atMs: 0 })),
    steps,
    events: [],
    ...parts,
    tables: { ...NO_TABLES, ...tables },
  }
}

/** A step without arguments that succeeds. */
export const shownStep = (number: number, parts: Partial<ViewerStep> = {}): ViewerStep => ({
  number,
  tool: 'wait',
  args: 0,
  caller: 'model',
  acts: false,
  startMs: 0,
  endMs: 0,
  result: 0,
  ok: true,
  fired: [],
  ...parts,
})

/** An element at the origin. */
export const storedElement = (id: string, children: readonly number[] = [], name: string = id): StoredElement => ({
  id,
  role: 'Group',
  name,
  bounds: { x: 0, y: 0, width: 10, height: 10 },
  ...(children.length > 0 && { children }),
})
