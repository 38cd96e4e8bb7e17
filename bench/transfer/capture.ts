import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Computer } from '../../src/adapters/computer.ts'
import { areAlike } from '../../src/dataset/shard.ts'
import { type Element, walk } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { roleKind } from '../../src/desktop/model/role.ts'
import { querySelectorAll } from '../../src/desktop/tree/select.ts'
import type { Picture } from '../../src/paint/picture.ts'
import { installPackages } from '../../test/support/linux/install-packages.ts'
import { type LinuxTestDesktop, startTestDesktop } from '../../test/support/linux/test-desktop.ts'
import { writeDocuments } from '../linux-programs/programs.ts'
import { type LabelledPicture, rowOfBoxes } from './boxes.ts'
import { labelsOf } from './labels.ts'
import { CAPTURED, type CapturedProgram, type Excursion, LOOK_PACKAGES, type Look, writeSettings } from './programs.ts'
import { elementsOfScreen, type WindowTree } from './real-screen.ts'

/**
 * Captures screens of real programs with the boxes of their controls, as docs/transfer.md says: `--out FOLDER` for pictures,
 * `boxes.jsonl` and trees. `--program NAME` captures fewer; `--install` installs what is missing. Programs that are in the folder already are left out.
 */

const SCREEN = { x: 0, y: 0, width: 1280, height: 900 }
const MAX_MENUS = 8
const MAX_TABS = 2
const MAX_SCREENS = 20
const MIN_BOXES = 5
/** Programs animate menus and dialogs for up to so long. */
const SETTLE_MS = 900
const MAX_TRIES = 3
const MAX_READINGS = 5
/** Programs open their first page for so long after their window has elements. */
const START_MS = 4000

/** A screen at rest. */
interface Screen {
  readonly picture: Picture
  readonly trees: readonly WindowTree[]
  readonly labels: ReturnType<typeof labelsOf>
}

interface CapturedScreen extends Screen {
  readonly look: number
  readonly state: string
}

/** The windows of the screen with their trees. Undefined while a program does not answer. */
async function readTrees(computer: Computer): Promise<readonly WindowTree[] | undefined> {
  const trees: WindowTree[] = []
  try {
    for (const window of await computer.windows()) trees.push({ window, tree: await computer.tree(window.uid) })
    return trees
  } catch {
    return undefined
  }
}

/** Takes a picture between two readings of the trees that give the same boxes. */
async function screenAtRest(computer: Computer): Promise<Screen | undefined> {
  for (let tried = 0; tried < MAX_READINGS; tried++) {
    await sleep(SETTLE_MS)
    const before = await readTrees(computer)
    const picture = await computer.screenshot({ screen: true })
    const trees = await readTrees(computer)
    if (!before || !trees) continue
    const labels = labelsOf(elementsOfScreen(trees, SCREEN))
    if (JSON.stringify(labelsOf(elementsOfScreen(before, SCREEN))) === JSON.stringify(labels))
      return { picture, trees, labels }
  }
  return undefined
}

const nameOfExcursion = (excursion: Excursion): string =>
  'keys' in excursion ? excursion.keys.join(' ') : 'click' in excursion ? excursion.click : excursion.size.join(' × ')

/** The items of the menu bar, which may be menus or items. */
const menusOf = (tree: Element): readonly Element[] =>
  [...walk(tree)]
    .filter(({ role }) => roleKind(role) === 'menubar')
    .flatMap(({ children }) => children)
    .filter(
      ({ role, traits, bounds }) =>
        ['menu', 'menuitem'].includes(roleKind(role)) && !traits?.hidden && bounds.width > 0 && bounds.y >= 0,
    )
    .slice(0, MAX_MENUS)

async function clickAt(computer: Computer, element: Element): Promise<void> {
  await computer.perform({ type: 'click', at: centerOf(element.bounds), button: 'left', count: 1 })
}

/** One start of a program in a look. */
class Visit {
  readonly #testDesktop: LinuxTestDesktop
  readonly #uid: string

  constructor(testDesktop: LinuxTestDesktop, uid: string) {
    this.#testDesktop = testDesktop
    this.#uid = uid
  }

  get computer(): Computer {
    return this.#testDesktop.computer
  }

  tree = async (): Promise<Element | undefined> => Promise.resolve(this.computer.tree(this.#uid)).catch(() => undefined)

  screen = (): Promise<Screen | undefined> => screenAtRest(this.computer)

  /** Goes to another screen. Returns false if the program has no such element. */
  async go(excursion: Excursion): Promise<boolean> {
    if ('keys' in excursion) {
      for (const keys of excursion.keys)
        await this.computer.perform(
          keys.startsWith('=') ? { type: 'type', text: keys.slice(1) } : { type: 'key', keys },
        )
      return true
    }
    if ('size' in excursion) {
      const [width, height] = excursion.size.map(String)
      const window = String(Number.parseInt(this.#uid.replace('x11:', ''), 16))
      const { env } = this.#testDesktop.desktop
      spawnSync('xdotool', ['windowsize', window, width!, height!, 'windowmove', window, '140', '30'], { env })
      return true
    }
    const tree = await this.tree()
    const found = tree && querySelectorAll(tree, excursion.click).find(({ element }) => !element.traits?.hidden)
    if (found) await clickAt(this.computer, found.element)
    return found !== undefined
  }

  /** Closes menus and dialogs. Returns false if some stay. */
  async goBack(): Promise<boolean> {
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      await Promise.resolve(this.computer.perform({ type: 'key', keys: 'escape' })).catch(() => {})
      await sleep(300)
      const windows = await this.computer.windows()
      const others = windows.filter(({ uid }) => uid !== this.#uid)
      if (others.length === 0) return windows.length > 0
      if (tried > 0)
        for (const { uid, popupOf } of others)
          if (popupOf === undefined)
            await Promise.resolve(this.computer.perform({ type: 'window', window: uid, to: 'close' })).catch(() => {})
    }
    return (await this.computer.windows()).length === 1
  }
}

/** Starts a program in a look, and hands it over once it is at rest. */
async function withProgram(
  program: CapturedProgram,
  look: Look,
  visit: (visit: Visit) => Promise<void>,
): Promise<void> {
  const testDesktop = await startTestDesktop({ width: SCREEN.width, height: SCREEN.height })
  try {
    const home = testDesktop.desktop.env.HOME!
    writeDocuments(home)
    writeSettings(home, look)
    const env = Object.entries(look.env ?? {}).map(([name, value]) => `${name}=${value}`)
    const [first = '', ...args] = ['env', ...env, ...program.command(home), ...(look.args ?? [])]
    const { uid } = await testDesktop.launch(program.title, first, ...args)
    await sleep(START_MS)
    await visit(new Visit(testDesktop, uid))
  } finally {
    await testDesktop.endPrograms().catch(() => {})
    await testDesktop.close().catch(() => {})
  }
}

/** Walks through a program in all its looks, each of which shows a part of its excursions. */
async function walkThrough(program: CapturedProgram): Promise<readonly CapturedScreen[]> {
  const screens: CapturedScreen[] = []
  const keep = async (visit: Visit, look: number, state: string) => {
    const screen = await visit.screen()
    const isKept =
      screen !== undefined &&
      screen.labels.boxes.length >= MIN_BOXES &&
      !screens.some(({ picture }) => areAlike(picture, screen.picture))
    console.error(
      `${program.name} ${look} ${state}: ${screen?.labels.boxes.length ?? 'no rest'}${isKept ? '' : ', left out'}`,
    )
    if (isKept) screens.push({ ...screen, look, state })
  }
  for (const [look, settings] of program.looks.entries()) {
    /** The excursions of this look that are left. A program that does not come back is started again. */
    let left: readonly Excursion[] | undefined
    let menus: readonly number[] = []
    for (let starts = 0; starts < MAX_TRIES && (left === undefined || left.length + menus.length > 0); starts++)
      await withProgram(program, settings, async (visit) => {
        if (left === undefined) {
          await keep(visit, look, 'start')
          const mine = (_: unknown, index: number) => index % program.looks.length === look
          left = program.excursions.filter(mine)
          const tree = await visit.tree()
          menus = tree
            ? menusOf(tree)
                .map((_menu, index) => index)
                .filter(mine)
            : []
        }
        while (menus.length > 0) {
          const [index, ...rest] = menus
          menus = rest
          const tree = await visit.tree()
          const menu = tree && menusOf(tree)[index!]
          if (!menu) continue
          await clickAt(visit.computer, menu)
          await keep(visit, look, `menu ${menu.name}`)
          if (!(await visit.goBack())) return
        }
        while (left.length > 0) {
          const [excursion, ...rest] = left
          left = rest
          if (!(await visit.go(excursion!))) continue
          await keep(visit, look, nameOfExcursion(excursion!))
          if ('keys' in excursion! || 'click' in excursion!)
            await keepTabs(visit, look, nameOfExcursion(excursion!), keep)
          if (!(await visit.goBack())) return
        }
      }).catch((error: Error) => console.error(`${program.name} ${look}: ${error.message.slice(0, 300)}`))
  }
  return screens
}

/** Shows further tabs of a dialog that is open. */
async function keepTabs(
  visit: Visit,
  look: number,
  state: string,
  keep: (visit: Visit, look: number, state: string) => Promise<void>,
): Promise<void> {
  const [front, ...others] = await visit.computer.windows()
  if (!front || others.length === 0) return
  const tree = await Promise.resolve(visit.computer.tree(front.uid)).catch(() => undefined)
  const tabs = tree
    ? [...walk(tree)].filter(({ role, selected, traits }) => roleKind(role) === 'tab' && !selected && !traits?.hidden)
    : []
  for (const tab of tabs.slice(0, MAX_TABS)) {
    await clickAt(visit.computer, tab)
    await keep(visit, look, `${state}, ${tab.name}`)
  }
}

/** No more than a number of screens, as many of each look as there are. */
function spreadOver(screens: readonly CapturedScreen[], most: number): readonly CapturedScreen[] {
  const kept: CapturedScreen[] = []
  const queues = [...new Set(screens.map(({ look }) => look))].map((look) =>
    screens.filter((each) => each.look === look),
  )
  for (let index = 0; kept.length < most && queues.some(({ length }) => length > index); index++)
    for (const queue of queues) kept.push(...queue.slice(index, index + 1))
  return kept.slice(0, most)
}

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'transfer-data' },
    program: { type: 'string', multiple: true },
    install: { type: 'boolean', default: false },
  },
})
const folder = join(values.out, 'real')
const boxesFile = join(folder, 'boxes.jsonl')
mkdirSync(join(folder, 'images'), { recursive: true })
mkdirSync(join(folder, 'trees'), { recursive: true })
const chosen = CAPTURED.filter(({ name }) => values.program?.includes(name) ?? true)
if (values.install) await installPackages([...new Set([...chosen.map(({ debian }) => debian), ...LOOK_PACKAGES])])
const done = existsSync(boxesFile) ? readFileSync(boxesFile, 'utf8') : ''
for (const program of chosen) {
  if (done.includes(`"program":${JSON.stringify(program.name)}`)) continue
  const screens = spreadOver(await walkThrough(program), MAX_SCREENS)
  const stem = program.name.toLowerCase().replaceAll(' ', '-')
  const rows: LabelledPicture[] = []
  for (const [index, { picture, labels, look, state, trees }] of screens.entries()) {
    const image = `images/${stem}-${String(index + 1).padStart(2, '0')}.png`
    writeFileSync(join(folder, image), await picture.png())
    if (index === 0) writeFileSync(join(folder, 'trees', `${stem}.json`), JSON.stringify(trees))
    const { width, height } = picture
    rows.push({
      image,
      program: program.name,
      group: program.fold,
      state: `${look} ${state}`,
      width,
      height,
      ...labels,
    })
  }
  appendFileSync(boxesFile, rows.map(rowOfBoxes).join(''))
  console.error(
    `${program.name}: ${rows.length} screens, ${rows.reduce((sum, { boxes }) => sum + boxes.length, 0)} boxes`,
  )
}
process.exit(0)
