import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import { DESKTOP_STYLES } from '../desktop/style/style.ts'
import { PERSONALITIES } from '../scenario/personalities/personalities.ts'
import { variantsOf } from '../scenario/seeds.ts'
import { AXES } from '../scenario/variants/axes.ts'
import { openDesktop } from '../testing.ts'
import { loadScenario } from './preview.ts'

// What an agent sees of each value of each axis. Rules such as [VAR8] are stated in scenario/variants/README.md.

interface Node {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly bounds: Rect
  readonly children?: readonly Node[]
}

/** What the tools of an agent return at the start of `showcase`. */
async function look(variant: Readonly<Record<string, string>>) {
  const desktop = openDesktop({ scenario: 'showcase', variant })
  const { tree } = (await desktop.call('get_window_structure', { window_uid: 'desk' })) as unknown as { tree: Node }
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)]
  const nodes = all(tree)
  const picture = await desktop.computer.screenshot({ screen: true })
  const { width, height } = picture
  return {
    nodes,
    node: (id: string): Node => nodes.find((node) => node.id === id)!,
    windows: (await desktop.call('list_windows')).windows,
    monitors: (await desktop.call('get_monitors')).monitors as readonly {
      readonly bounds: Rect
      readonly scale_factor: number
    }[],
    words: (picture.text ?? []).map(({ text }) => text),
    wordAt: (word: string) => picture.text?.find(({ text }) => text === word)?.bounds as Rect,
    size: [width, height],
    pixels: Buffer.from(picture.pixels()),
    task: desktop.computer.task,
    warnings: desktop.computer.variantWarnings,
  }
}
type Look = Awaited<ReturnType<typeof look>>

const plain = await look({})
const names = ({ nodes }: Look) => nodes.filter(({ role }) => role === 'ListItem').map(({ name }) => name)
const isPaintedAlike = ({ pixels }: Look) => pixels.equals(plain.pixels)
const boundsOf = ({ windows }: Look, uid: string) => windows.find(({ window_uid }) => window_uid === uid)!.bounds
const corner = (seen: Look) => {
  const { x, y } = boundsOf(seen, 'desk')
  return [x, y]
}
const placed = (seen: Look, x: number, y: number) => expect(corner(seen)).toEqual([x, y])
const mirrored = ({ x, width }: Rect) => 1280 - x - width

type Check = (seen: Look, value: string) => void

/** A check for each value of each axis; `any` for the others. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  data: {
    any: (seen) => {
      expect(names(seen).slice(0, 3)).not.toEqual(names(plain).slice(0, 3))
      expect(seen.task).not.toBe(plain.task)
      expect(names(seen).some((name) => seen.task!.includes(name) && seen.words.includes(name))).toBe(true)
    },
  },
  date: {
    any: (seen, value) => {
      const time = value.includes('T') ? value.slice(11, 16) : '00:00'
      expect(seen.node('opened').name).toBe(`Opened at ${time}`)
      expect(seen.words).toContain(`Opened at ${time}`)
      expect(isPaintedAlike(seen)).toBe(false)
    },
  },
  wording: {
    short: (seen) => {
      expect(seen.task).toMatch(/^The parcel of .* has to go, with the note /)
      expect(names(seen)).toEqual(names(plain))
    },
  },
  synonyms: {
    random: (seen) => {
      const { name } = seen.node('send')
      expect(['Ship', 'Dispatch']).toContain(name)
      expect([seen.words.includes(name), seen.words.includes('Send')]).toEqual([true, false])
      expect(seen.task).toBe(plain.task)
    },
  },
  locale: {
    de: (seen) => {
      expect([seen.node('send').name, seen.node('price').name]).toEqual([
        'Verschicken',
        'Preis 1.234,50, fällig 09.03.2026',
      ])
      expect(seen.words).toContain('Verschicken')
      expect(seen.task).toBe('Verschicke das Paket von Grace Hopper mit dem Vermerk „Fragile“.')
    },
    ar: (seen) => {
      expect([seen.node('send').name, seen.node('price').name]).toEqual([
        'إرسال',
        'السعر 1,234.50، الاستحقاق 09/03/2026',
      ])
      expect(seen.words).toContain('إرسال')
      expect(seen.node('note').bounds.x).toBe(mirrored(plain.node('note').bounds))
      expect(seen.task).toBe('أرسل طرد Grace Hopper مع الملاحظة «Fragile».')
    },
    ja: (seen) => {
      expect([seen.node('send').name, seen.node('price').name]).toEqual(['送信', '価格 1,234.50、期限 2026/03/09'])
      expect(seen.words).toContain('送信')
      expect(seen.task).toBe('Grace Hopperの荷物に「Fragile」というメモを付けて送ってください。')
    },
    pseudo: (seen) => {
      expect(seen.node('send').name).toMatch(/^Send ‹\w+›$/)
      expect(seen.node('send').bounds.width).toBeGreaterThan(plain.node('send').bounds.width)
      expect(names(seen)).toEqual(names(plain))
    },
    mirrored: (seen) => {
      for (const id of ['send', 'note', 'insured']) expect(seen.node(id).bounds.x).toBe(mirrored(plain.node(id).bounds))
      expect(seen.wordAt('Send').x).toBeGreaterThan(plain.wordAt('Send').x)
    },
    'pseudo-mirrored': (seen) => {
      expect(seen.node('send').name).toMatch(/^Send ‹\w+›$/)
      expect(seen.node('note').bounds.x).toBe(mirrored(plain.node('note').bounds))
    },
  },
  icons: {
    only: (seen) => {
      expect(seen.node('send')).toMatchObject({ name: 'Send', description: 'Send' })
      expect([plain.words.includes('Send'), seen.words.includes('Send')]).toEqual([true, false])
    },
  },
  order: {
    shuffled: (seen) => {
      expect(names(seen)).not.toEqual(names(plain))
      expect(names(seen).toSorted()).toEqual(names(plain).toSorted())
      const [first, second] = names(seen) as [string, string]
      expect(seen.wordAt(first).y).toBeLessThan(seen.wordAt(second).y)
    },
  },
  distractors: {
    any: (seen, value) => {
      const added = seen.windows.filter(({ window_uid }) => !['desk', 'help'].includes(window_uid))
      expect([seen.windows.length, added.length]).toEqual([2 + Number(value), Number(value)])
      expect(seen.words).toEqual(expect.arrayContaining(added.map(({ title }) => title)))
      // They are behind the windows of the scenario.
      expect(seen.words).toEqual(expect.arrayContaining(plain.words))
    },
  },
  resolution: {
    any: (seen, value) => expect(seen.size).toEqual(value.split('x').map(Number)),
  },
  monitors: {
    right: ({ monitors }) =>
      expect(monitors.map(({ bounds: { x, y } }) => [x, y])).toEqual([
        [0, 0],
        [1280, 0],
      ]),
    left: ({ monitors }) =>
      expect(monitors.map(({ bounds: { x, y } }) => [x, y])).toEqual([
        [0, 0],
        [-1280, 0],
      ]),
    above: ({ monitors }) =>
      expect(monitors.map(({ bounds: { x, y } }) => [x, y])).toEqual([
        [0, 0],
        [0, -1024],
      ]),
    below: ({ monitors }) =>
      expect(monitors.map(({ bounds: { x, y } }) => [x, y])).toEqual([
        [0, 0],
        [0, 800],
      ]),
  },
  style: {
    any: (seen, value) => {
      expect(isPaintedAlike(seen)).toBe(value === 'backlot')
      // Its icon stands alone in styles whose title shares a band with the tools.
      const isNamed = value === 'backlot' || value === 'windows'
      expect([names(seen), seen.words.includes('Send')]).toEqual([names(plain), isNamed])
    },
  },
  window_position: {
    random: (seen) => {
      expect(corner(seen)).not.toEqual(corner(plain))
      expect(seen.wordAt('Send').x - plain.wordAt('Send').x).toBe(corner(seen)[0]! - corner(plain)[0]!)
    },
    'top-left': (seen) => placed(seen, 0, 32),
    'top-right': (seen) => placed(seen, 660, 32),
    center: (seen) => placed(seen, 330, 136),
    'bottom-left': (seen) => placed(seen, 0, 240),
    'bottom-right': (seen) => placed(seen, 660, 240),
  },
  overlap: {
    cascaded: (seen) => {
      const [{ x, y }, behind] = [boundsOf(seen, 'desk'), boundsOf(seen, 'help')]
      expect([behind.x, behind.y]).toEqual([x - 48, y - 48])
      expect(isPaintedAlike(seen)).toBe(false)
    },
    stacked: (seen) => {
      const [{ x, y }, behind] = [boundsOf(seen, 'desk'), boundsOf(seen, 'help')]
      expect([behind.x, behind.y]).toEqual([x, y])
      expect(seen.words).not.toContain('Choose a customer, write a note and press Send.')
    },
  },
  theme: {
    light: (seen) => expect([isPaintedAlike(seen), seen.nodes]).toEqual([true, plain.nodes]),
    dark: (seen) => expect([isPaintedAlike(seen), seen.nodes]).toEqual([false, plain.nodes]),
  },
  contrast: {
    normal: (seen) => expect([isPaintedAlike(seen), seen.nodes]).toEqual([true, plain.nodes]),
    high: (seen) => expect([isPaintedAlike(seen), seen.nodes]).toEqual([false, plain.nodes]),
  },
  text_size: {
    any: (seen, value) => {
      expect(seen.size).toEqual(plain.size)
      expect(Math.abs(boundsOf(seen, 'desk').width - boundsOf(plain, 'desk').width)).toBeLessThanOrEqual(1)
      expect(seen.wordAt('Send').width / plain.wordAt('Send').width).toBeCloseTo(Number(value), 1)
    },
  },
  scale: {
    any: (seen, value) => {
      const scale = Number(value)
      expect(seen.size).toEqual(plain.size.map((length) => length * scale))
      expect(seen.monitors[0]!.scale_factor).toBe(scale)
      expect(Math.abs(seen.node('send').bounds.x - plain.node('send').bounds.x * scale)).toBeLessThanOrEqual(1)
    },
  },
  personality: {
    any: (seen, value) => {
      const { roles } = PERSONALITIES.find(({ name }) => name === value)!
      expect(seen.node('insured').role).toBe(roles.checkbox.role)
      expect(isPaintedAlike(seen)).toBe(true)
    },
  },
}

/** The values of an axis that samples draw; of the style, which they do not draw, all. */
const valuesOf = (axis: string): readonly string[] => {
  if (axis === 'style') return DESKTOP_STYLES
  const values = new Set(SAMPLES.flatMap((choices) => choices[axis] ?? []))
  return axis === 'data' ? [...values].slice(0, 1) : [...values].toSorted()
}
const SAMPLES = variantsOf(await loadScenario('showcase'), 400)

it('[VAR8] [VAR19] [VAR21] [VAR43] has a check for each axis', () => {
  expect(Object.keys(SHOWN)).toEqual(AXES.map(({ name }) => name))
})

describe.each(AXES.map(({ name }, place) => ({ axis: name, place })))(
  '[VAR8] an agent sees $axis',
  ({ axis, place }) => {
    it.each(shareOf(valuesOf(axis), place))('%s', async (value) => {
      const check = SHOWN[axis]![value] ?? SHOWN[axis]!.any
      const seen = await look({ [axis]: value })
      expect(seen.warnings).toEqual([])
      check!(seen, value)
    })

    it('with a check for each value', () => {
      const { any, ...named } = SHOWN[axis]!
      expect(any ? [] : Object.keys(named).toSorted()).toEqual(any ? [] : valuesOf(axis))
    })
  },
)
