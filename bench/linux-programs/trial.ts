import { type ChildProcess, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import type { ToolName } from '../../src/scenario/tools.ts'
import { type ReferenceNode, readReference } from '../../test/support/linux/reference-tree.ts'
import { waitUntil } from '../../test/support/linux/test-desktop.ts'

/** What is tried with each program. */
export const ABILITIES = ['find', 'click', 'type', 'menu', 'dialog', 'list', 'scroll', 'close'] as const
export type ProgramAbility = (typeof ABILITIES)[number]

export type TrialSession = 'x11' | 'sway'

/** A running program, the tools of agents, and readers of their effects that are no part of Backlot. */
export interface Trial {
  readonly session: TrialSession
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly window: string
  readonly process: ChildProcess
  // biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
  ask(tool: ToolName, args?: object): Promise<any>
}

/** Performs an action with the tools of agents. Throws when its effect is not seen from outside. */
export type Step = (trial: Trial) => Promise<void>

/** Waits until an effect is seen from outside. */
type Effect = (trial: Trial) => Promise<unknown>

/** Long enough for the reference client to read a large window twice on a busy machine. */
const MAX_EFFECT_MS = 30_000

const run = ({ env }: Trial, program: string, ...args: readonly string[]): string =>
  spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: 1 << 26 }).stdout ?? ''

interface SwayNode {
  readonly name: string | null
  readonly pid?: number
  readonly nodes?: readonly SwayNode[]
  readonly floating_nodes?: readonly SwayNode[]
}

/** The titles of all windows, as xprop or swaymsg reads them. */
export function titlesOutside(trial: Trial): readonly string[] {
  if (trial.session === 'sway') {
    const inNode = (node: SwayNode): readonly string[] => [
      ...(node.pid === undefined ? [] : [node.name ?? '']),
      ...[...(node.nodes ?? []), ...(node.floating_nodes ?? [])].flatMap(inNode),
    ]
    return inNode(JSON.parse(run(trial, 'swaymsg', '-t', 'get_tree', '--raw')) as SwayNode)
  }
  const ids = run(trial, 'xprop', '-root', '_NET_CLIENT_LIST').match(/0x[0-9a-f]+/g) ?? []
  return ids.map((id) => {
    const text = run(trial, 'xprop', '-id', id, '-notype', '8u', '_NET_WM_NAME')
    return /= "(.*)"/s.exec(text)?.[1] ?? ''
  })
}

const effect = (what: string, isSeen: () => boolean): Promise<unknown> => waitUntil(what, isSeen, MAX_EFFECT_MS)

export const windowOpens = (title: RegExp) => (trial: Trial) =>
  effect(`a window ${title} is open`, () => titlesOutside(trial).some((each) => title.test(each)))

export const windowGoes = (title: RegExp) => (trial: Trial) =>
  effect(`no window ${title} is open`, () => !titlesOutside(trial).some((each) => title.test(each)))

/** The reference client of AT-SPI reads such an object in any window. */
export const objectShows = (what: string, isIt: (node: ReferenceNode) => boolean) => (trial: Trial) =>
  effect(what, () => readReference(trial.env, '').some(isIt))

/** What may hold text that was typed or computed. A button or a menu item of that name is no effect. */
const TEXT_ROLES: ReadonlySet<string> = new Set(['text', 'entry', 'document text', 'paragraph', 'label', 'table cell'])

export const textShows = (text: string) =>
  objectShows(
    `the text ${text} is read`,
    (node) => TEXT_ROLES.has(node.role) && (node.name.includes(text) || node.text.includes(text)),
  )

/** A text is gone, and another is still read. */
export const textGoes = (text: string, kept: string) => (trial: Trial) =>
  effect(`the text ${text} is gone`, () => {
    const texts = readReference(trial.env, '').map(({ text }) => text)
    return texts.some((each) => each.includes(kept)) && !texts.some((each) => each.includes(text))
  })

/** An object of this name that is on the screen, such as an item of an open menu. */
export const nameShows = (name: string) =>
  objectShows(`${name} is shown`, (node) => node.name === name && node.states.includes('showing'))

/** GTK 2 gives places only to the items of open menus, and no state. */
export const isPlaced = (name: string) =>
  objectShows(`${name} is placed`, (node) => node.name === name && (node.bounds?.[0] ?? -1) >= 0)

const ON_STATES = ['selected', 'checked', 'pressed', 'focused']

export const isSelected = (name: string) =>
  objectShows(
    `${name} is selected`,
    (node) => (node.name === name || node.text === name) && ON_STATES.some((state) => node.states.includes(state)),
  )

export const comboShows = (option: string) =>
  objectShows(`a combo box shows ${option}`, ({ role, name }) => role === 'combo box' && name === option)

export const fileHas = (name: string, text: string) => (trial: Trial) =>
  effect(`the file ${name} has the text`, () => {
    try {
      return readFileSync(join(trial.home, name), 'utf8').includes(text)
    } catch {
      return false
    }
  })

/** A picture of the screen, taken by scrot or grim. */
function pictureOutside(trial: Trial): Buffer {
  const file = join(trial.home, 'outside.png')
  if (trial.session === 'sway') run(trial, 'grim', '-l', '1', file)
  else run(trial, 'scrot', '--overwrite', file)
  return readFileSync(file)
}

/** What other programs see of the desktop: a picture, the titles of windows, and all objects. */
export const whatIsSeen = (trial: Trial) => ({
  picture: pictureOutside(trial),
  windows: titlesOutside(trial),
  objects: readReference(trial.env, ''),
})

/** The share of pixels of a window that must differ after scrolling; a blinking cursor is smaller. */
const SCROLLED_SHARE = 0.01

function changedShare(before: PNG, after: PNG, { x, y, width, height }: Bounds): number {
  let changed = 0
  const [right, bottom] = [Math.min(x + width, before.width), Math.min(y + height, before.height)]
  for (let row = Math.max(y, 0); row < bottom; row++)
    for (let column = Math.max(x, 0); column < right; column++) {
      const at = (row * before.width + column) * 4
      if (before.data.readUInt32LE(at) !== after.data.readUInt32LE(at)) changed++
    }
  return changed / (width * height)
}

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Sizes may differ by so much: a program of Qt 5 reports larger pixels than it draws, and ours are those of the screen. */
const MAX_SIZE_RATIO = 1.06

const isLike = (one: number, other: number): boolean =>
  Math.max(one, other) <= Math.min(one, other) * MAX_SIZE_RATIO + 1

/** Finds an element and expects the reference client to read one of the same name and size; a text without a name has a text. */
export const finds =
  (selector: string): Step =>
  async (trial) => {
    const found = await trial.ask('find_element', { window_uid: trial.window, selector })
    const { name, bounds } = (found.all_matches as readonly Match[]).find(
      (each) => each.element_id === found.element_id,
    )!
    const isIt = (node: ReferenceNode) =>
      (name === '' ? TEXT_ROLES.has(node.role) && node.text !== '' : node.name === name || node.text === name) &&
      node.bounds !== null &&
      isLike(node.bounds[2], bounds.width) &&
      isLike(node.bounds[3], bounds.height)
    await objectShows(`an object is like ${selector}, ${JSON.stringify({ name, ...bounds })}`, isIt)(trial)
  }

interface Match {
  readonly element_id: string
  readonly name: string
  readonly bounds: Bounds
}

export const clicks =
  (selector: string, ...effects: readonly [Effect, ...Effect[]]): Step =>
  async (trial) => {
    await trial.ask('click_element', { window_uid: trial.window, selector })
    for (const seen of effects) await seen(trial)
  }

/** Polls `find_element` until the window shows an element. It does not verify the effect of an action. */
const appears =
  (selector: string): Step =>
  async (trial) => {
    const isShown = async () => {
      const found = await trial.ask('find_element', { window_uid: trial.window, selector }).catch(() => undefined)
      return found !== undefined && !found.hidden
    }
    await waitUntil(`${selector} is shown to agents`, isShown, MAX_EFFECT_MS)
  }

/** Chooses from the menus of the window: the first name is in its menu bar. */
export const chooses =
  (names: readonly string[], ...effects: readonly Effect[]): Step =>
  async (trial) => {
    for (const [index, name] of names.entries()) {
      const selector = `MenuItem[name=${JSON.stringify(name)}]`
      // A menu opens a moment after its item was clicked.
      if (index > 0) await appears(selector)(trial)
      await trial.ask('click_element', { window_uid: trial.window, selector })
    }
    for (const seen of effects) await seen(trial)
  }

/** Presses keys and types texts in turn: a text is written with a leading `=`. */
export const presses =
  (keys: readonly string[], ...effects: readonly Effect[]): Step =>
  async (trial) => {
    for (const each of keys)
      await (each.startsWith('=')
        ? trial.ask('type_text', { text: each.slice(1) })
        : trial.ask('press_key', { keys: each, settle_ms: 3000 }))
    for (const seen of effects) await seen(trial)
  }

export const inTurn =
  (...steps: readonly Step[]): Step =>
  async (trial) => {
    for (const step of steps) await step(trial)
  }

export const focuses =
  (selector: string): Step =>
  async (trial) =>
    trial.ask('click_element', { window_uid: trial.window, selector })

export const selects =
  (selector: string, option_name: string, ...effects: readonly Effect[]): Step =>
  async (trial) => {
    await trial.ask('select_option', { window_uid: trial.window, selector, option_name })
    for (const seen of effects) await seen(trial)
  }

/** Turns the wheel over an element and expects a picture from outside to differ. */
export const scrolls =
  (selector: string): Step =>
  async (trial) => {
    const before = PNG.sync.read(pictureOutside(trial))
    const { bounds } = await trial.ask('find_element', { window_uid: trial.window, selector })
    const { x, y } = centerOf(bounds)
    await trial.ask('scroll', { x, y, clicks: -5 })
    const hasMoved = () => changedShare(before, PNG.sync.read(pictureOutside(trial)), bounds) > SCROLLED_SHARE
    await effect('the picture has moved', hasMoved)
  }

/** Answers a dialog that is open, which the step before may have failed to open. */
export const answers =
  (title: RegExp, ...keys: readonly string[]): Step =>
  async (trial) => {
    if (!titlesOutside(trial).some((each) => title.test(each))) throw new Error(`no dialog ${title} is open`)
    await presses(keys, windowGoes(title))(trial)
  }

/** Clicks an element of another window of the program, which is gone then. */
export const clicksAway =
  (title: string, selector: string): Step =>
  async (trial) => {
    const { windows } = await trial.ask('list_windows')
    const found = (windows as readonly { title: string; window_uid: string }[]).find((each) => each.title === title)
    if (!found) throw new Error(`no window ${title} is open`)
    await trial.ask('bring_to_foreground', { window_uid: found.window_uid })
    await trial.ask('click_element', { window_uid: found.window_uid, selector })
    await effect(`the window ${title} is gone`, () => !titlesOutside(trial).includes(title))
  }

/** Ends the program by keys and expects its windows to be gone. */
export const quits = (title: RegExp, ...keys: readonly string[]): Step => presses(keys, windowGoes(title))
