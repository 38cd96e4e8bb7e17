import { drawInteger, type Random, split } from '../../../base/random.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { windowsOf } from '../../schema/visit.ts'
import type { WrittenWindow } from '../../schema/window.ts'
import { choiceAxis, withWritten } from '../axis.ts'
import { fitInto, roomOf } from '../geometry/windows.ts'
import { textsOf } from '../texts/texts-of.ts'

interface Program {
  readonly title: string
  readonly process: string
  readonly width: number
  readonly height: number
  readonly content: readonly WrittenElement[]
}

const text = (name: string): WrittenElement => ({ role: 'Text', name })

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
  obstacle: (written, value) =>
    programsFor(written).length < Number(value) ? 'the scenario has texts of the same names' : undefined,
  apply: (subject, value, random) => {
    const { written } = subject
    const room = roomOf(written)
    const programs = drawn(programsFor(written), random).slice(0, Number(value))
    const windows = programs.map((program) => windowOf(program, room, split(random, program.title)))
    const states = Object.fromEntries(
      Object.entries(written.states).map(([name, state]) => [
        name,
        { ...state, windows: [...windowsOf(state), ...windows] },
      ]),
    )
    return withWritten(subject, { ...written, states })
  },
})

/** The programs with no text that the scenario has too, so that its selectors and patterns find only its own. */
function programsFor(written: WrittenScenario): readonly Program[] {
  const own = new Set(textsOf(written).map((each) => each.text.toLowerCase()))
  return PROGRAMS.filter(
    ({ title, content }) => ![title, ...namesIn(content)].some((name) => own.has(name.toLowerCase())),
  )
}

const namesIn = (elements: readonly WrittenElement[]): readonly string[] =>
  elements.flatMap(({ name = '', children = [] }) => [name, ...namesIn(children)])

function drawn(programs: readonly Program[], random: Random): readonly Program[] {
  const places = programs.map((program) => ({ program, place: drawInteger(split(random, program.process), 0, 1e6)[0] }))
  return places.sort((a, b) => a.place - b.place).map(({ program }) => program)
}

function windowOf({ title, process, width, height, content }: Program, room: Rect, random: Random): WrittenWindow {
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
