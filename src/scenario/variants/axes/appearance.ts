import type { Rect } from '../../../desktop/model/geometry.ts'
import type { IconName } from '../../../desktop/model/pictures.ts'
import { roleKind } from '../../../desktop/model/role.ts'
import { textWidth } from '../../../desktop/model/text-width.ts'
import { DESKTOP_STYLES } from '../../../desktop/style/style.ts'
import { buildMonitors, DEFAULT_BOUNDS } from '../../build-window.ts'
import { PERSONALITIES } from '../../personalities/personalities.ts'
import type { AuthoredScenario } from '../../scenario-file.ts'
import type { AuthoredElement } from '../../schema/element.ts'
import { windowsOf } from '../../visit.ts'
import { choiceAxis, numberAxis, type VariedScenario, warned, withAuthored } from '../axis.ts'
import { isPlainObject, mapTrees, movePoints, type PlainObject, rewriteJson, treesOf } from '../rewrite-file.ts'
import { isRect } from '../window-geometry.ts'

/** High contrast replaces the colours of the theme. */
export const contrast = choiceAxis({
  name: 'contrast',
  about: 'High contrast, as a setting of the system: it replaces the colours of any theme.',
  choices: ['normal', 'high'],
  apply: (subject, value) =>
    value === 'high' ? withAuthored(subject, { ...subject.authored, theme: 'high-contrast' }) : subject,
})

const THEMES = ['light', 'dark'] as const

/** The colours of the screen. */
export const theme = choiceAxis({
  name: 'theme',
  about: 'The colours of the screen.',
  choices: THEMES,
  apply: (subject, value) =>
    withAuthored(subject, { ...subject.authored, theme: THEMES.find((name) => name === value) ?? 'light' }),
})

/** The system that the desktop looks like. Samples of variants do not choose it; datasets draw it by themselves. */
export const style = {
  ...choiceAxis({
    name: 'style',
    about: 'The system that windows, controls and the shell look like. Drawn in datasets only.',
    choices: DESKTOP_STYLES,
    apply: (subject, value) =>
      withAuthored(subject, { ...subject.authored, style: DESKTOP_STYLES.find((name) => name === value) }),
  }),
  samples: () => [],
}

/** The platform whose accessibility tree shows the scenario. */
export const personality = choiceAxis({
  name: 'personality',
  about: 'The platform whose [accessibility tree](personalities.md) shows the scenario.',
  choices: PERSONALITIES.map(({ name }) => name),
  apply: (subject, value) => ({ ...subject, personality: value }),
})

/** The width of a button with an icon alone. */
const WIDTH = 36

/** The words by which a button without an icon gets one. The first that fits counts. */
const ICONS_BY_WORD: readonly (readonly [RegExp, IconName])[] = [
  [/\b(save|keep|store)\b/i, 'save'],
  [/\b(delete|remove|discard|erase|trash)\b/i, 'trash'],
  [/\b(edit|rename|compose|write|reply)\b/i, 'pencil'],
  [/\b(new|add|create|insert)\b/i, 'plus'],
  [/\b(open|browse|folder)\b/i, 'folder'],
  [/\b(search|find|look)\b/i, 'search'],
  [/\b(send|mail)\b/i, 'mail'],
  [/\b(cart|buy|check ?out|order)\b/i, 'cart'],
  [/\b(refresh|reload|sync|synchronise|update)\b/i, 'refresh'],
  [/\b(download|import)\b/i, 'download'],
  [/\b(upload|export)\b/i, 'upload'],
  [/\b(play|start|run)\b/i, 'play'],
  [/\b(pause|stop)\b/i, 'pause'],
  [/\b(settings|options|preferences)\b/i, 'settings'],
  [/\b(log ?in|sign ?(in|up)|account|profile)\b/i, 'user'],
  [/\b(attach|file)\b/i, 'file'],
  [/\b(home)\b/i, 'home'],
  [/\b(chat|message)\b/i, 'chat'],
  [/\b(help|about)\b/i, 'info'],
  [/\b(cancel|close|dismiss|no)\b/i, 'close'],
  [/\b(ok|apply|accept|done|yes|finish|book)\b/i, 'check'],
  [/\b(next|forward|continue)\b/i, 'chevron-right'],
  [/\b(back|previous)\b/i, 'chevron-left'],
]

/** The icon that a button shows in place of its name. Undefined if none is known. */
function iconFor({ role, name = '', icon }: AuthoredElement): IconName | undefined {
  if (roleKind(role ?? '') !== 'button' || name === '') return undefined
  return icon ?? ICONS_BY_WORD.find(([words]) => words.test(name))?.[1]
}

/** Buttons that show an icon instead of their name. */
export const icons = choiceAxis({
  name: 'icons',
  about:
    'Buttons with an icon, or a name that has a common one, show the icon alone. The tree and the tooltip have the name.',
  choices: ['only'],
  obstacle: (authored) => (hasButton(authored) ? undefined : 'no button has an icon or a name that has a common one'),
  apply: (subject) => {
    const { authored } = subject
    return withAuthored(
      subject,
      mapTrees(authored, (tree) => withIcons(tree)),
    )
  },
})

const hasButton = (authored: AuthoredScenario): boolean => treesOf(authored).some(holdsButton)

const holdsButton = (element: AuthoredElement): boolean =>
  iconFor(element) !== undefined || (element.children ?? []).some(holdsButton)

function withIcons(element: AuthoredElement): AuthoredElement {
  const children = element.children?.map(withIcons)
  const own: AuthoredElement = children ? { ...element, children } : element
  const icon = iconFor(element)
  if (!icon) return own
  const { bounds, description, name } = own
  return {
    ...own,
    icon,
    description: description ?? name,
    ...(bounds ? { bounds: { ...bounds, width: Math.min(bounds.width, WIDTH) } } : { width: WIDTH, grow: 0 }),
  }
}

/**
 * Larger texts and controls in windows and on a screen of the same size. Everything is enlarged, and what is written in
 * pixels of the screen is made smaller by the same factor before.
 */
export const textSize = numberAxis({
  name: 'text_size',
  about: 'The size of texts and controls; windows and the screen keep theirs, so content wraps, scrolls or is cut.',
  least: 0.8,
  most: 2,
  sampled: ['0.8', '1.25', '1.6'],
  apply: (subject, value) => enlarged(subject, Number(value)),
})

function enlarged(subject: VariedScenario, factor: number): VariedScenario {
  const { authored } = subject
  const shrink = (rect: Rect): Rect => {
    const left = Math.round(rect.x / factor)
    const top = Math.round(rect.y / factor)
    const right = Math.round((rect.x + rect.width) / factor)
    return { x: left, y: top, width: right - left, height: Math.round((rect.y + rect.height) / factor) - top }
  }
  const fixed = idsWithBounds(authored)
  // A layout gives an element the same size, in larger pixels.
  const isOfLaidOut = ({ target_id }: PlainObject) => typeof target_id === 'string' && !fixed.has(target_id)
  const shrinkPoint = ({ x, y }: PlainObject) => ({
    x: Math.floor(Number(x) / factor),
    y: Math.floor(Number(y) / factor),
  })
  const shrunk = <T>(part: T): T =>
    rewriteJson(part, (key, value, owner) => {
      if (key === 'bounds' && isRect(value)) return shrink(value)
      if (key === 'region' && isRect(value) && !isOfLaidOut(owner)) return shrink(value)
      if (key === 'at' && isPlainObject(value)) return shrinkPoint(value)
      const moves = owner.move !== undefined && ['x', 'y', 'width', 'height'].includes(key)
      return moves && typeof value === 'number' ? Math.round(value / factor) : undefined
    })
  const monitors = buildMonitors(authored).map(({ bounds, primary, scaleFactor }) => ({
    bounds: shrink(bounds),
    primary,
    scale_factor: scaleFactor,
  }))
  const changed: AuthoredScenario = {
    ...movePoints(authored, ({ x, y }) => ({ x: Math.floor(x / factor), y: Math.floor(y / factor) })),
    monitors,
    states: shrunk(withBounds(authored).states),
    ...(authored.windows && { windows: shrunk(authored.windows) }),
    ...(authored.reactions && { reactions: shrunk(authored.reactions) }),
    ...(authored.timers && { timers: shrunk(authored.timers) }),
  }
  return warned({ ...subject, authored: changed, ratio: subject.ratio * factor }, cutTexts(authored, changed, factor))
}

/** The ids of elements with bounds of their own. */
function idsWithBounds(authored: AuthoredScenario): ReadonlySet<string> {
  const ids = new Set<string>()
  const note = ({ id, bounds, children = [] }: AuthoredElement): void => {
    if (id !== undefined && bounds) ids.add(id)
    children.forEach(note)
  }
  treesOf(authored).forEach(note)
  return ids
}

/** Every window with its bounds written out. */
function withBounds(authored: AuthoredScenario): AuthoredScenario {
  const states = Object.fromEntries(
    Object.entries(authored.states).map(([name, state]) => [
      name,
      state && { ...state, windows: windowsOf(state).map((window) => ({ bounds: DEFAULT_BOUNDS, ...window })) },
    ]),
  )
  return { ...authored, states }
}

const FONT = 14
/** Controls that show their name inside their bounds, with the space around it. */
const AROUND: Partial<Record<ReturnType<typeof roleKind>, number>> = {
  button: 12,
  text: 0,
  checkbox: 30,
  radio: 30,
  link: 0,
  tab: 12,
  toggle: 46,
  menuitem: 20,
}

/** Texts in fixed bounds that fitted before and are cut now. */
function cutTexts(before: AuthoredScenario, after: AuthoredScenario, factor: number): readonly string[] {
  const found = new Set<string>()
  const compare = (old: AuthoredElement, now: AuthoredElement): void => {
    const around = AROUND[roleKind(old.role ?? '')]
    if (around !== undefined && old.bounds && now.bounds && old.name) {
      const room = textWidth(old.name, FONT) + around
      const lines = (bounds: Rect) => Math.max(1, Math.floor(bounds.height / 20)) * bounds.width
      if (room <= lines(old.bounds) && room > lines(now.bounds)) found.add(old.name)
    }
    old.children?.forEach((child, index) => {
      const next = now.children?.[index]
      if (next) compare(child, next)
    })
  }
  for (const [name, state] of Object.entries(before.states))
    windowsOf(state).forEach(({ tree }, index) => {
      const next = windowsOf(after.states[name] ?? null)[index]?.tree
      if (tree && next) compare(tree, next)
    })
  return found.size === 0
    ? []
    : [
        `text_size=${factor}: these texts have fixed bounds and are cut: ${[...found].map((text) => JSON.stringify(text)).join(', ')}`,
      ]
}
