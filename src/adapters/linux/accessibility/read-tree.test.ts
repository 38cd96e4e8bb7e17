import { describe, expect, it } from 'vitest'
import type { Rect } from '../../../desktop/model/geometry.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import type { AccessibleApp, Toolkit } from './accessibility.ts'
import { type AccessibleNode, createReadCache } from './accessible-node.ts'
import { readTree } from './read-tree.ts'
import { ROLE, STATE, type State } from './roles.ts'

/** An object of a program, as it answers on the bus. */
interface Thing {
  readonly role: number
  readonly name?: string
  readonly states?: readonly State[]
  readonly at?: Rect
  readonly text?: string
  readonly children?: readonly Thing[]
  /** Reports this number of children, and creates them on request. */
  readonly many?: { readonly count: number; child(index: number): Thing }
  readonly table?: { readonly rows: number; readonly columns: number; cell(row: number, column: number): Thing }
}

const APP: AccessibleApp = { bus: ':1.1', root: { bus: ':1.1', path: '/root' }, pid: 1 }
const TOP: ObjectRef = { bus: ':1.1', path: '/top' }

/** A program on a bus of its own that notes what it is asked. */
function program(
  window: Thing,
  cached: readonly unknown[] = [],
): { readonly bus: Bus; readonly asked: readonly string[] } {
  const things = new Map<string, { readonly thing: Thing; readonly index: number }>()
  const asked: string[] = []
  const put = (thing: Thing, path: string, index = -1): readonly [string, string] => {
    things.set(path, { thing, index })
    return [':1.1', path]
  }
  put(window, TOP.path)
  const answer = ({ path }: ObjectRef, { member }: BusMethod, body: readonly unknown[]): unknown => {
    const wanted = member === 'Get' ? String(body[1]) : member
    asked.push(`${path} ${wanted}`)
    if (wanted === 'GetItems') return cached
    const { thing, index } = things.get(path) ?? {}
    if (!thing) return undefined
    const { table, many, children = [], at, text } = thing
    const [a = 0, b = 0] = body as readonly number[]
    switch (wanted) {
      case 'Name':
        return thing.name ?? ''
      case 'Description':
        return ''
      case 'GetRole':
        return thing.role
      case 'GetState':
        return words('sensitive', 'showing', 'visible', ...(thing.states ?? []))
      case 'GetInterfaces':
        return ['Accessible', 'Component', ...(text === undefined ? [] : ['Text']), ...(table ? ['Table'] : [])].map(
          (each) => `org.a11y.atspi.${each}`,
        )
      case 'ChildCount':
        return table ? table.rows * table.columns : (many?.count ?? children.length)
      case 'GetChildren':
        if (table || many) throw new Error('the program hangs: it was asked for all of its children')
        return children.map((child, position) => put(child, `${path}/${position}`, position))
      case 'GetChildAtIndex':
        return many && put(many.child(a), `${path}/${a}`, a)
      case 'NRows':
        return table?.rows
      case 'NColumns':
        return table?.columns
      case 'GetAccessibleAt':
        return table && put(table.cell(a, b), `${path}/${a}.${b}`, a * table.columns + b)
      case 'GetRowAtIndex':
        return table && Math.floor(a / table.columns)
      case 'GetColumnAtIndex':
        return table && a % table.columns
      case 'GetIndexInParent':
        return index
      case 'GetExtents':
        return at ? [at.x, at.y, at.width, at.height] : [0, 0, 0, 0]
      case 'CharacterCount':
        return [...(text ?? '')].length
      case 'GetText':
        // As LibreOffice and Firefox: beyond the end there is no text at all.
        return b > [...(text ?? '')].length ? '' : [...text!].slice(a, b).join('')
      default:
        return undefined
    }
  }
  const call = async (to: ObjectRef, method: BusMethod, ...body: readonly unknown[]) => answer(to, method, body)
  const bus = { ended: false, call, tryCall: call, onSignal: () => {}, close: () => {} } as unknown as Bus
  return { bus, asked }
}

function words(...names: readonly State[]): readonly number[] {
  const made = [0, 0]
  for (const name of names) made[STATE[name] >> 5]! |= 1 << (STATE[name] & 31)
  return made
}

const SCREEN: Rect = { x: 0, y: 0, width: 800, height: 600 }
const frame = (...children: readonly Thing[]): Thing => ({ role: ROLE.frame, name: 'Window', at: SCREEN, children })

async function readOf(bus: Bus, toolkit: Toolkit = 'other', now?: () => number): Promise<AccessibleNode> {
  return (await readTree(bus, APP, toolkit, TOP, createReadCache(), { now }))!
}

const label = (name: string, y: number): Thing => ({ role: ROLE.label, name, at: { x: 0, y, width: 100, height: 20 } })

describe('windows that are read together', () => {
  it('[LX10a] ask their program once for its cache, and again the next time', async () => {
    const { bus, asked } = program(frame(label('text', 0)))
    const both = () => Promise.all([readOf(bus, 'gtk3'), readOf(bus, 'gtk3')])
    const caches = () => asked.filter((each) => each === '/org/a11y/atspi/cache GetItems').length
    const [one, other] = await both()
    expect([one.children.map(({ name }) => name), caches()]).toEqual([['text'], 1])
    expect(other.children).toEqual(one.children)
    await both()
    expect(caches()).toBe(2)
  })
})

describe('large containers', () => {
  const list = (scrolled: number): Thing => ({
    role: ROLE.list,
    at: { x: 0, y: 0, width: 200, height: 100 },
    many: { count: 10_000, child: (index) => label(`row ${index}`, index * 20 - scrolled) },
  })

  it('[LX64] are read where they are in view, without requesting all children', async () => {
    const { bus, asked } = program(frame(list(100_010)))
    const [read] = (await readOf(bus)).children
    expect(read!.children.map(({ name, index }) => [name, index])).toEqual(
      [5000, 5001, 5002, 5003, 5004, 5005].map((index) => [`row ${index}`, index]),
    )
    expect(read!.childCount).toBe(10_000)
    expect(asked.length).toBeLessThan(300)
  })

  it('[LX64] use the child count of the program where its cache omits children', async () => {
    const table: Thing = {
      role: ROLE.table,
      states: ['managesDescendants'],
      at: { x: 0, y: 0, width: 200, height: 100 },
      table: { rows: 3, columns: 1, cell: (row) => label(`cell ${row}`, row * 20) },
    }
    const item = (path: string, parent: string, count: number, role: number, states: readonly State[]) => [
      [':1.1', path],
      [':1.1', '/root'],
      [':1.1', parent],
      0,
      count,
      [
        'org.a11y.atspi.Accessible',
        'org.a11y.atspi.Component',
        ...(role === ROLE.table ? ['org.a11y.atspi.Table'] : []),
      ],
      '',
      role,
      '',
      words('sensitive', 'showing', ...states),
    ]
    const cache = [
      item('/top', '/root', 1, ROLE.frame, []),
      item('/top/0', '/top', 0, ROLE.table, ['managesDescendants']),
    ]
    const { bus } = program(frame(table), cache)
    const [read] = (await readOf(bus, 'gtk3')).children
    expect(read!.children.map(({ children }) => children.map(({ name }) => name))).toEqual([
      ['cell 0'],
      ['cell 1'],
      ['cell 2'],
    ])
  })
})

describe('windows with thousands of objects', () => {
  const entry = (path: string, parent: string, count: number): unknown => [
    [':1.1', path],
    [':1.1', '/root'],
    [':1.1', parent],
    0,
    count,
    ['org.a11y.atspi.Accessible', 'org.a11y.atspi.Component'],
    '',
    ROLE.panel,
    '',
    words('sensitive', 'showing'),
  ]

  it('[LX64] are read where they are in view', async () => {
    const group = (top: number): Thing => ({
      role: ROLE.panel,
      at: { x: 0, y: top, width: 100, height: 100 },
      children: Array.from({ length: 100 }, (_, index) => label(`${top + index}`, top + index)),
    })
    const tops = Array.from({ length: 40 }, (_, index) => index * 100)
    const cache = [
      entry('/top', '/root', tops.length),
      ...tops.flatMap((_, group) => [
        entry(`/top/${group}`, '/top', 100),
        ...Array.from({ length: 100 }, (_, index) => entry(`/top/${group}/${index}`, `/top/${group}`, 0)),
      ]),
    ]
    const { children } = await readOf(program(frame(...tops.map(group)), cache).bus, 'gtk3')
    expect(children.map((each) => each.children.length)).toEqual(tops.map((top) => (top < SCREEN.height ? 100 : 0)))
    expect(children.map(({ childCount }) => childCount)).toEqual(tops.map((top) => (top < 600 ? undefined : 100)))
  })
})

describe('tables', () => {
  /** As LibreOffice's sheets: cells out of view have no place, and a billion of them exist. */
  const sheet: Thing = {
    role: ROLE.table,
    name: 'Sheet1',
    states: ['managesDescendants'],
    at: { x: 40, y: 160, width: 100, height: 50 },
    table: {
      rows: 1_048_576,
      columns: 16_384,
      cell(row, column) {
        const isInView = row < 3 && column < 2
        const at = { x: 40 + column * 50, y: 160 + row * 17, width: 50, height: 17 }
        return { role: ROLE.tableCell, name: `R${row}C${column}`, text: `${row + column}`, ...(isInView ? { at } : {}) }
      },
    },
  }

  it('[LX65] are read by the rows and columns in view, as rows', async () => {
    const { bus, asked } = program(frame(sheet))
    const [read] = (await readOf(bus, 'gtk3')).children
    expect(read).toMatchObject({ childCount: 1_048_576 })
    const rows = read!.children
    expect(rows.map(({ role, index, childCount }) => [role, index, childCount])).toEqual(
      [0, 1, 2].map((row) => [ROLE.tableRow, row, 16_384]),
    )
    expect(rows.map(({ children }) => children.map(({ name, text }) => `${name}=${text}`))).toEqual([
      ['R0C0=0', 'R0C1=1'],
      ['R1C0=1', 'R1C1=2'],
      ['R2C0=2', 'R2C1=3'],
    ])
    expect(rows[1]!.extents).toEqual({ x: 40, y: 177, width: 100, height: 17 })
    expect(rows[1]!.actionNode!.name).toBe('R1C0')
    expect(asked.length).toBeLessThan(500)
  })

  it('[LX65] that are lists contain their items directly', async () => {
    const list: Thing = {
      role: ROLE.list,
      at: { x: 0, y: 0, width: 100, height: 100 },
      table: { rows: 2, columns: 1, cell: (row) => ({ role: ROLE.listItem, name: `item ${row}`, at: SCREEN }) },
    }
    const [read] = (await readOf(program(frame(list)).bus, 'qt')).children
    expect(read!.children.map(({ name }) => name)).toEqual(['item 0', 'item 1'])
    expect(read!.childCount).toBeUndefined()
  })
})

describe('limits', () => {
  it('[LX66] end a reading that takes too long, and mark incomplete nodes', async () => {
    let now = 0
    const clock = () => {
      now += 400
      return now
    }
    const many = Array.from({ length: 100 }, (_, index) => label(`label ${index}`, index))
    const tree = await readOf(program(frame(...many)).bus, 'other', clock)
    expect(tree.children.length).toBeLessThan(30)
    expect(tree.childCount).toBe(100)
  })

  it('[LX67] keep the first 100,000 characters of a text, and the last ones of a terminal', async () => {
    const text = `${'a'.repeat(100_000)}${'z'.repeat(100_000)}`
    const field: Thing = { role: ROLE.entry, at: SCREEN, text }
    const terminal: Thing = { role: ROLE.terminal, at: SCREEN, text }
    const [first, last] = (await readOf(program(frame(field, terminal)).bus)).children
    expect([first!.text, first!.isTextTruncated]).toEqual(['a'.repeat(100_000), true])
    expect([last!.text, last!.isTextTruncated]).toEqual(['z'.repeat(100_000), true])
  })
})

describe('text', () => {
  it('[LX67] is read by its number of characters', async () => {
    const paragraph: Thing = { role: ROLE.paragraph, at: SCREEN, text: 'Żaneta 😀', states: ['editable'] }
    const empty: Thing = { role: ROLE.entry, at: SCREEN, text: '' }
    const [read, none] = (await readOf(program(frame(paragraph, empty)).bus)).children
    expect([read!.text, none!.text]).toEqual(['Żaneta 😀', ''])
  })

  it('[LX67] is not read of objects that are named after it', async () => {
    const { bus, asked } = program(frame({ role: ROLE.label, name: 'Hello', text: 'Hello', at: SCREEN }))
    expect((await readOf(bus)).children[0]!.text).toBeUndefined()
    expect(asked.some((each) => each.endsWith('GetText'))).toBe(false)
  })
})

it('[LX76] omits the second menu bar of LibreOffice', async () => {
  const menus: Thing = { role: ROLE.menuBar, at: SCREEN, children: [{ role: ROLE.menu, name: 'File', at: SCREEN }] }
  const pane: Thing = { role: ROLE.rootPane, at: SCREEN, children: [menus, label('Page 1', 500)] }
  const tree = await readOf(program(frame(menus, pane)).bus, 'gtk3')
  expect(tree.children.map(({ children }) => children.map(({ name }) => name))).toEqual([['File'], ['Page 1']])
})
