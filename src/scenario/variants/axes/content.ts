import { Fault } from '../../../base/fault.ts'
import { drawInteger, type Random, split } from '../../../base/random.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { roleKind } from '../../../desktop/model/role.ts'
import { parseDate } from '../../expression/formats.ts'
import type { AuthoredScenario } from '../../scenario-file.ts'
import { type AuthoredElement, type AuthoredWindow, isTemplateElement } from '../../schema/element.ts'
import { windowsOf } from '../../visit.ts'
import { choiceAxis, type VariantAxis, withAuthored } from '../axis.ts'
import { isPlainObject, mapTrees, treesOf } from '../rewrite-file.ts'
import { textsOf } from '../rewrite-texts.ts'
import { fitInto, roomOf } from '../window-geometry.ts'

const SAMPLES = 20

/** Other parameters, drawn while the scenario is composed (`load/load.ts`). */
export const data: VariantAxis = {
  name: 'data',
  about: 'The parameters are drawn from this seed; timers and everything else keep the seed of the run.',
  values: 'a whole number',
  problem: (value) =>
    /^-?\d{1,15}$/.test(value) ? undefined : 'expected a whole number, the seed of the drawn parameters',
  needsParameters: true,
  obstacle: () => undefined,
  samples: () => Array.from({ length: SAMPLES }, (_, index) => String(index + 1)),
  apply: (subject) => subject,
}

/** The time at which the clock of the scenario starts. A composed file gets it before its expressions are evaluated. */
export const startDate: VariantAxis = {
  name: 'date',
  about: 'The date and time at which the clock starts: `start_time`, and all expressions with `now` or `start_time`.',
  values: 'a date or a time in UTC, such as 2026-12-31 or 2026-12-31T23:58:00Z',
  problem: (value) => {
    try {
      parseDate(value)
      return undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return `expected ${startDate.values}`
    }
  },
  obstacle: () => undefined,
  samples: () => ['2024-02-29T08:05:00Z', '2026-12-31T23:58:00Z', '2027-07-04T14:30:00Z'],
  apply: (subject, value) => withAuthored(subject, { ...subject.authored, start_time: value }),
}

interface Program {
  readonly title: string
  readonly process: string
  readonly width: number
  readonly height: number
  readonly content: readonly AuthoredElement[]
}

const text = (name: string): AuthoredElement => ({ role: 'Text', name })

/** Windows of other programs. Adding one is one entry. */
const PROGRAMS: readonly Program[] = [
  {
    title: 'Weather',
    process: 'weather',
    width: 320,
    height: 240,
    content: [
      { role: 'Heading', name: 'Light rain' },
      text('14 degrees, wind from the west'),
      { role: 'Button', name: 'Show forecast' },
    ],
  },
  {
    title: 'Calculator',
    process: 'calculator',
    width: 260,
    height: 300,
    content: [
      { role: 'Edit', name: 'Sum', value: '0', read_only: true },
      {
        role: 'Pane',
        name: 'Digits',
        layout: { arrange: 'grid', columns: 3, gap: 6 },
        children: ['7', '8', '9', '4', '5', '6', '1', '2', '3'].map((name) => ({ role: 'Button', name, width: 60 })),
      },
    ],
  },
  {
    title: 'Music player',
    process: 'music',
    width: 380,
    height: 220,
    content: [
      text('Nothing is playing'),
      { role: 'Slider', name: 'Loudness', value_now: 40, value_min: 0, value_max: 100 },
      { role: 'Button', name: 'Play track', icon: 'play' },
    ],
  },
  {
    title: 'Sticky note',
    process: 'notes',
    width: 280,
    height: 200,
    content: [{ role: 'Document', name: 'Note', value: 'Water the plants.\nCall the dentist.' }],
  },
]

const MAX_COUNT = 3

/** Windows that have nothing to do with the task, behind those that do. */
export const distractors = choiceAxis({
  name: 'distractors',
  about: 'Windows of other programs, behind those of the scenario and in the panel.',
  choices: Array.from({ length: MAX_COUNT }, (_, index) => String(index + 1)),
  obstacle: (authored, value) =>
    programsFor(authored).length < Number(value) ? 'the scenario has texts of the same names' : undefined,
  apply: (subject, value, random) => {
    const { authored } = subject
    const room = roomOf(authored)
    const programs = drawn(programsFor(authored), random).slice(0, Number(value))
    const windows = programs.map((program) => windowOf(program, room, split(random, program.title)))
    const states = Object.fromEntries(
      Object.entries(authored.states).map(([name, state]) => [
        name,
        { ...state, windows: [...windowsOf(state), ...windows] },
      ]),
    )
    return withAuthored(subject, { ...authored, states })
  },
})

/** The programs with no text that the scenario has too, so that its selectors and patterns find only its own. */
function programsFor(authored: AuthoredScenario): readonly Program[] {
  const own = new Set(textsOf(authored).map((each) => each.text.toLowerCase()))
  return PROGRAMS.filter(
    ({ title, content }) => ![title, ...namesIn(content)].some((name) => own.has(name.toLowerCase())),
  )
}

const namesIn = (elements: readonly AuthoredElement[]): readonly string[] =>
  elements.flatMap(({ name = '', children = [] }) => [name, ...namesIn(children)])

function drawn(programs: readonly Program[], random: Random): readonly Program[] {
  const places = programs.map((program) => ({ program, place: drawInteger(split(random, program.process), 0, 1e6)[0] }))
  return places.sort((a, b) => a.place - b.place).map(({ program }) => program)
}

function windowOf({ title, process, width, height, content }: Program, room: Rect, random: Random): AuthoredWindow {
  const [x, next] = drawInteger(random, 0, Math.max(0, room.width - width))
  const [y] = drawInteger(next, 0, Math.max(0, room.height - height))
  return {
    uid: `distractor-${process}`,
    title,
    process,
    bounds: fitInto(room, { x: room.x + x, y: room.y + y, width, height }),
    tree: { role: 'Window', name: title, children: [...content] },
  }
}

/** The order of the items of lists and of the options of combo boxes. */
export const order = choiceAxis({
  name: 'order',
  about: 'The items of lists and the options of combo boxes are in another order, the same in every state.',
  choices: ['shuffled'],
  obstacle: (authored) => (hasLists(authored) ? undefined : 'no list has two items'),
  apply: (subject, _, random) => {
    const { authored } = subject
    const bound = subject.bound.flatMap(({ element }) => element ?? [])
    const named = textsIn([
      bound,
      authored.reactions,
      authored.timers,
      authored.oracles,
      authored.solution,
      authored.solutions,
      authored.obedience,
    ])
    return withAuthored(
      subject,
      mapTrees(authored, (tree) => shuffled(tree, 'root', random, named)),
    )
  },
})

/** Items that follow the data have the order of the data. */
const isItem = (element: AuthoredElement): boolean =>
  !isTemplateElement(element) && roleKind(element.role ?? '') === 'listitem'

/** Whether an element is a list whose items have an order of no meaning. */
function isList({ role, children = [], rows }: AuthoredElement): boolean {
  const kind = roleKind(role ?? '')
  if (kind !== 'list' && kind !== 'combo') return false
  return children.filter(isItem).length > 1 || (Array.isArray(rows) && rows.length > 1)
}

const hasLists = (authored: AuthoredScenario): boolean => treesOf(authored).some(holdsList)

const holdsList = (element: AuthoredElement): boolean => isList(element) || (element.children ?? []).some(holdsList)

/** An element with its lists in another order. Items that are named by their position keep it as their id. */
function shuffled(
  element: AuthoredElement,
  position: string,
  random: Random,
  named: ReadonlySet<string>,
): AuthoredElement {
  const { children, rows } = element
  const isNamed = isList(element) && [...named].some((text) => text.startsWith(`${position}.`))
  const below = children?.map((child, index) => {
    const place = `${position}.${index}`
    const next = shuffled(child, place, random, named)
    return isNamed ? withIds(next, place) : next
  })
  const own: AuthoredElement = below ? { ...element, children: below } : element
  if (!isList(element)) return own
  return {
    ...own,
    ...(below && { children: inOrder(below, random) }),
    ...(Array.isArray(rows) && { rows: byDraw(rows as readonly string[], (row) => row, random) as string[] }),
  }
}

/** An element with its position as its id, and those below it, unless they have one. */
const withIds = (element: AuthoredElement, position: string): AuthoredElement =>
  // Those that follow the data have ids of their own.
  isTemplateElement(element)
    ? element
    : {
        ...element,
        id: element.id ?? position,
        ...(element.children && {
          children: element.children.map((child, index) => withIds(child, `${position}.${index}`)),
        }),
      }

/** Items change places among themselves; other children stay. */
function inOrder(children: readonly AuthoredElement[], random: Random): AuthoredElement[] {
  const items = byDraw(children.filter(isItem), (item) => item.id ?? item.name ?? '', random)
  let next = 0
  return children.map((child) => (isItem(child) ? items[next++]! : child))
}

const RANGE = 1_000_000

/** Sorts by a number drawn for each key, so that a list with one more item keeps the order of the others. */
function byDraw<T>(items: readonly T[], keyOf: (item: T) => string, random: Random): readonly T[] {
  const drawn = items.map((item, index) => ({
    item,
    index,
    place: drawInteger(split(random, keyOf(item)), 0, RANGE)[0],
  }))
  const sorted = drawn.sort((a, b) => a.place - b.place || a.index - b.index)
  const isSame = sorted.every(({ index }, place) => index === place)
  return (isSame ? sorted.toReversed() : sorted).map(({ item }) => item)
}

/** All texts in a value. */
function textsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value)
  if (Array.isArray(value)) for (const item of value) textsIn(item, found)
  if (isPlainObject(value)) for (const part of Object.values(value)) textsIn(part, found)
  return found
}
