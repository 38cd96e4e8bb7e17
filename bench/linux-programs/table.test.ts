import { expect, it } from 'vitest'
import { PROGRAMS, type TriedProgram } from './programs.ts'
import { type StepTimes, type Tried, tableOf, tableOfTimes, withGenerated } from './table.ts'
import { ABILITIES } from './trial.ts'

const done = async () => {}
const program = (name: string, steps: Partial<TriedProgram['steps']> = {}): TriedProgram => ({
  name,
  toolkit: 'GTK 3',
  debian: name,
  title: /x/,
  command: () => [name],
  steps: {
    find: done,
    click: done,
    type: 'takes no text',
    menu: 'has no menu',
    dialog: 'opens none',
    list: 'no list',
    scroll: 'has no menu',
    close: done,
    ...steps,
  },
})
const yes = { find: 'yes', click: 'yes', close: 'yes' }

it('the table has what was seen in each session, the last trial of a program, and why something is not tried', () => {
  const tried: readonly Tried[] = [
    { program: 'one', session: 'x11', results: { ...yes, click: 'timed out' } },
    { program: 'one', session: 'x11', results: yes },
    { program: 'one', session: 'sway', results: yes },
    { program: 'two', session: 'x11', results: yes },
    { program: 'two', session: 'sway', results: { ...yes, close: 'timed out' } },
    { program: 'three', session: 'x11', results: { find: 'there will be no window' } },
  ]
  const programs = [program('one'), program('two'), program('three', { type: done })]
  const table = tableOf(programs, tried, { versionOf: () => '4:1.2.3-5+deb12u1', date: '2026-01-02' })
  expect(
    table,
  ).toBe(`Of 3 programs of Debian 12, 2 completed all that is tried with them on X11 and 1 on sway (2026-01-02).

| program | toolkit | find | click | type | menu | dialog | list | scroll | close |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| one 1.2.3 | GTK 3 | yes | yes | – (1) | – (2) | – (3) | – (4) | – (2) | yes |
| two 1.2.3 | GTK 3 | yes | yes | – (1) | – (2) | – (3) | – (4) | – (2) | X11 yes, sway no |
| three 1.2.3 | GTK 3 | X11 no, sway not tried | not tried | not tried | – (2) | – (3) | – (4) | – (2) | not tried |

1. takes no text
2. has no menu
3. opens none
4. no list
`)
})

it('each of 22 programs has a step or a reason for each ability', () => {
  expect(PROGRAMS.length).toBe(22)
  expect(new Set(PROGRAMS.map(({ name }) => name)).size).toBe(22)
  for (const { steps } of PROGRAMS) expect(Object.keys(steps).toSorted()).toEqual([...ABILITIES].toSorted())
})

it('a table replaces the part of a page between its markers', () => {
  const [start, end] = ['<!-- programs: written by npm run bench:programs -->', '<!-- end of programs -->']
  expect(withGenerated(`a\n${start}\nold\n${end}\nb\n`, 'programs', 'new\n')).toBe(`a\n${start}\nnew\n${end}\nb\n`)
  expect(() => withGenerated('a', 'programs', 'new\n')).toThrow(/the page has no part between/)
})

const times = (observe: number): StepTimes => ({ observe, screenshot: 20, click: 30.4, type: 40 })
const names = { observe: 'pyatspi', screenshot: 'scrot', click: 'xdotool', type: 'xdotool' }
const sessions = [1, 2].map((ms) => ({ ours: times(ms), others: times(ms * 100), names }))

it('lists measured times beside those of other programs, and Wine where it was measured', () => {
  const table = tableOfTimes(
    sessions,
    { gnome: times(3), kwin: { ...times(4), screenshot: undefined }, wine: times(58.2) },
    'today',
  )
  expect(table).toContain('| step | X11 | beside | sway | beside | GNOME | KWin | Windows under Wine |\n')
  expect(table).toContain(
    '| observe a window | 1.0 ms | pyatspi 100 ms | 2.0 ms | pyatspi 200 ms | 3.0 ms | 4.0 ms | 58 ms |\n',
  )
  expect(table).toContain('scrot 20 ms | 20 ms | – | 20 ms |\n')
  expect(table).toContain('asked over HTTP')
})

it('says what was not measured', () => {
  const table = tableOfTimes(sessions, { gnome: undefined, kwin: undefined, wine: undefined }, 'today')
  expect(table).toContain('| click a point, with receipt | 30 ms | xdotool 30 ms | 30 ms | xdotool 30 ms |\n')
  expect(table).toMatch(/Windows under Wine was not set up.*\nGNOME and KWin were not set up/)
})
