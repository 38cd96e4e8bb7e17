import { createHash } from 'node:crypto'
import { encodePng } from '../../../src/paint/png/encode.ts'
import type { Box } from '../../../src/viewer/model/element.ts'
import type {
  Frame,
  Moment,
  Recording,
  StoredElement,
  StoredWindow,
  ViewerStep,
} from '../../../src/viewer/model/recording.ts'

/** A recording with the PNG files of its tiles by hash. */
export interface RecordingFiles {
  readonly recording: Recording
  readonly tiles: ReadonlyMap<string, Buffer>
}

interface GeneratedOptions {
  readonly steps: number
  /** The step at which the agent of this recording calls another tool. */
  readonly otherAt?: number
}

const [WIDTH, HEIGHT, TILE] = [1280, 800, 128]
const ITEMS = 40
const WINDOW: Box = { x: 90, y: 50, width: 1100, height: 700 }
const BAR: Box = { x: 120, y: 690, width: 1000, height: 24 }
const DIALOG: Box = { x: 420, y: 280, width: 440, height: 220 }
const itemBox = (item: number): Box => ({
  x: 120 + (item % 4) * 260,
  y: 130 + Math.floor(item / 4) * 54,
  width: 240,
  height: 40,
})

/**
 * A made-up run over a window with check boxes: step n toggles box n, every fifth only reads the screen, every eleventh
 * fails, and every fourteenth opens a dialog that the next one closes. A progress bar makes every picture another one.
 */
export function generateRecording({ steps: count, otherAt }: GeneratedOptions): RecordingFiles {
  const screen = createScreen()
  const table = createTables()
  const done = new Set<number>()
  let isAsking = false
  let atMs = 0
  const moments: Moment[] = []
  const steps: ViewerStep[] = []
  const addMoment = (number: number) => {
    screen.fill(BAR, [225, 228, 236])
    screen.fill({ ...BAR, width: 10 + (number % (BAR.width - 10)) }, [92, 80, 214])
    moments.push({
      atMs,
      frame: table.frame(screen.frame()),
      desk: table.desk(deskOf(table.element, done, isAsking, number)),
      state: isAsking ? 'asking' : 'list',
      variables: table.value({ done: done.size, last: number }),
      pointer: { x: 200, y: 150 },
      oracles: [done.size > ITEMS / 2, done.size > ITEMS - 4, null],
    })
  }
  addMoment(0)
  for (let number = 1; number <= count; number++) {
    const item = (number * 7) % ITEMS
    const isRead = number % 5 === 0
    const fails = number % 11 === 0
    const isOther = number === otherAt
    const startMs = atMs
    atMs += isRead ? 100 : 400
    const acts = !isRead && !isOther
    if (acts && !fails) {
      if (done.has(item)) done.delete(item)
      else done.add(item)
      screen.fill(itemBox(item), done.has(item) ? [46, 160, 98] : [232, 234, 241])
      isAsking = number % 14 === 0
      screen.dialog(isAsking, done)
    }
    addMoment(number)
    const { x, y } = itemBox(item)
    const point = { x: x + 20, y: y + 20 }
    steps.push({
      number,
      tool: isOther ? 'wait' : isRead ? 'get_window_structure' : 'click_element',
      args: table.value(
        isOther ? { ms: 500 } : isRead ? { window_uid: 'tasks' } : { selector: `CheckBox "Task ${item}"` },
      ),
      caller: 'model',
      acts,
      wallTime: new Date(Date.UTC(2026, 0, 5, 9, 30) + number * 1700).toISOString(),
      startMs,
      endMs: atMs,
      wallMs: 12.5,
      result: table.value(fails ? null : { changed: acts, elements: 43 }),
      ok: !fails,
      changed: acts && !fails,
      ...(fails && { error: { code: 'ElementNotFound', message: `no element matches CheckBox "Task ${item}"` } }),
      ...(acts && {
        point,
        hit: { window: 'tasks', element: `task-${item}` },
        meant: { window: 'tasks', element: `task-${(item + 1) % ITEMS}` },
      }),
      ...(number % 9 === 0 && { held: ['shift'], path: [point, { x: point.x + 300, y: point.y + 60 }] }),
      fired: acts ? [{ kind: 'reaction', text: `reactions[${item}]: click_element task-${item}` }] : [],
      dialect: { door: 'openai', call: table.value({ type: 'click', x: point.x, y: point.y, button: 'left' }) },
      model: {
        message: `I will click Task ${item}.`,
        reasoning: `Task ${item} is next in the list.`,
        ...{ inputTokens: 1200 + number, outputTokens: 40, costUsd: 0.0123, latencyMs: 1530 },
      },
      wire: [
        {
          method: 'POST',
          url: 'http://127.0.0.1:7777/click_element',
          headers: { 'content-type': 'application/json', authorization: '<redacted>' },
          body: JSON.stringify({ selector: `CheckBox "Task ${item}"` }),
          ...{ status: fails ? 404 : 200, response: '{"ok":true}', ms: 12.5 },
        },
      ],
    })
  }
  const recording: Recording = {
    format: 'backlot-recording-1',
    title: 'Tick the tasks',
    source: 'backlot',
    recordedBy: '0.1.0',
    scenario: {
      ...{ name: 'tasks', task: 'Tick all tasks of the list.', seed: 7 },
      variant: { theme: 'light', scale: '1' },
      faults: ['get_screenshot: Timeout once'],
    },
    warnings: [],
    verdict: { success: false, score: 0.5, end: 'max_steps', message: 'the budget of steps is used up' },
    startedAt: '2026-01-05T09:30:00.000Z',
    oracles: [
      { kind: 'success', text: 'more than half of the tasks are ticked' },
      { kind: 'failure', text: 'nearly all tasks are ticked' },
      { kind: 'harm', text: 'a file was deleted' },
    ],
    ...(count >= 9 && { lostAt: 9 }),
    moments,
    steps,
    events:
      count < 3
        ? []
        : [
            {
              after: 0,
              protocol: 'agent-webkit',
              direction: 'in',
              name: 'user_message',
              content: table.value({ content: 'Tick all tasks' }),
            },
            {
              after: 2,
              protocol: 'agent-webkit',
              direction: 'out',
              name: 'message_delta',
              content: table.value({ delta: 'Two are done' }),
            },
          ],
    tables: { tileSize: TILE, tiles: [...screen.tiles.keys()], ...table.rows },
  }
  return { recording, tiles: screen.tiles }
}

function deskOf(
  element: (stored: StoredElement) => number,
  done: ReadonlySet<number>,
  isAsking: boolean,
  number: number,
): readonly StoredWindow[] {
  const items = Array.from({ length: ITEMS }, (_, item) =>
    element({
      id: `task-${item}`,
      role: 'CheckBox',
      name: `Task ${item}`,
      bounds: itemBox(item),
      selected: done.has(item),
    }),
  )
  const bar = element({ id: 'bar', role: 'ProgressBar', name: 'Progress', bounds: BAR, value_now: number })
  const list = element({
    id: 'list',
    role: 'List',
    name: 'Tasks',
    bounds: { ...WINDOW, y: 120, height: 560 },
    children: items,
  })
  const root = element({ id: 'root', role: 'Window', name: 'Tasks', bounds: WINDOW, children: [list, bar] })
  const tasks = { uid: 'tasks', title: 'Tasks', process: 'tasks.exe', bounds: WINDOW, focused: !isAsking, root }
  if (!isAsking) return [tasks]
  const yes = element({
    id: 'yes',
    role: 'Button',
    name: 'Continue',
    bounds: { x: 700, y: 440, width: 120, height: 36 },
  })
  const ask = element({ id: 'ask', role: 'Dialog', name: 'Go on?', bounds: DIALOG, children: [yes] })
  return [
    { uid: 'dialog', title: 'Go on?', process: 'tasks.exe', bounds: DIALOG, focused: true, root: ask },
    { ...tasks, focused: false },
  ]
}

/** Tables in which equal rows are stored once. */
function createTables() {
  const rows = {
    frames: [] as Frame[],
    desks: [] as (readonly StoredWindow[])[],
    elements: [] as StoredElement[],
    values: [] as unknown[],
  }
  const adder = <T>(list: T[]) => {
    const known = new Map<string, number>()
    return (row: T): number => {
      const key = JSON.stringify(row)
      const found = known.get(key)
      if (found !== undefined) return found
      known.set(key, list.length)
      return list.push(row) - 1
    }
  }
  return {
    rows,
    frame: adder(rows.frames),
    desk: adder(rows.desks),
    element: adder(rows.elements),
    value: adder(rows.values),
  }
}

type Colour = readonly [red: number, green: number, blue: number]

/** A screen of coloured rectangles that knows the tiles of its picture. */
function createScreen() {
  const pixels = new Uint32Array(WIDTH * HEIGHT)
  const tiles = new Map<string, Buffer>()
  const columns = Math.ceil(WIDTH / TILE)
  const names: string[] = []
  const indexes = new Map<string, number>()
  const stale = new Set<number>()
  const fill = ({ x, y, width, height }: Box, [red, green, blue]: Colour) => {
    const word = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
    for (let row = y; row < y + height; row++) pixels.fill(word, row * WIDTH + x, row * WIDTH + x + width)
    for (let row = Math.floor(y / TILE); row <= Math.floor((y + height - 1) / TILE); row++)
      for (let column = Math.floor(x / TILE); column <= Math.floor((x + width - 1) / TILE); column++)
        stale.add(row * columns + column)
  }
  const window = (done: ReadonlySet<number>) => {
    fill(WINDOW, [250, 250, 252])
    fill({ ...WINDOW, height: 44 }, [44, 50, 70])
    for (let item = 0; item < ITEMS; item++) fill(itemBox(item), done.has(item) ? [46, 160, 98] : [232, 234, 241])
  }
  fill({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, [40, 92, 140])
  window(new Set())
  let hasDialog = false
  return {
    tiles,
    fill,
    dialog(isOpen: boolean, done: ReadonlySet<number>) {
      if (isOpen === hasDialog) return
      hasDialog = isOpen
      if (!isOpen) return window(done)
      fill(DIALOG, [255, 255, 255])
      fill({ ...DIALOG, height: 36 }, [92, 80, 214])
      fill({ x: 700, y: 440, width: 120, height: 36 }, [92, 80, 214])
    },
    frame(): Frame {
      for (const slot of stale) names[slot] = tileAt(slot)
      stale.clear()
      return { width: WIDTH, height: HEIGHT, tiles: names.map((name) => indexes.get(name)!) }
    },
  }

  function tileAt(slot: number): string {
    const [x, y] = [(slot % columns) * TILE, Math.floor(slot / columns) * TILE]
    const [width, height] = [Math.min(TILE, WIDTH - x), Math.min(TILE, HEIGHT - y)]
    const part = new Uint32Array(width * height)
    for (let row = 0; row < height; row++)
      part.set(pixels.subarray((y + row) * WIDTH + x, (y + row) * WIDTH + x + width), row * width)
    const file = encodePng(width, height, part)
    const hash = createHash('sha256').update(file).digest('hex')
    if (!tiles.has(hash)) {
      indexes.set(hash, tiles.size)
      tiles.set(hash, file)
    }
    return hash
  }
}
