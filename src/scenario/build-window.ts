import { fieldTextOf, shownDescription } from '../desktop/model/control-metrics.ts'
import { DEFAULT_SCREEN, type Desktop, type Monitor, type Window } from '../desktop/model/desktop.ts'
import { drawnPictureFile } from '../desktop/model/drawn-picture.ts'
import { controlPart, type Element, shaped, walk } from '../desktop/model/element.ts'
import { type Files, isFile, readFile } from '../desktop/model/files.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import type { PictureFile, PictureFiles } from '../desktop/model/pictures.ts'
import { parseMarkup, type RichText } from '../desktop/model/rich-text.ts'
import { isSecretRole, roleKind } from '../desktop/model/role.ts'
import { terminalTextOf } from '../desktop/model/terminal-text.ts'
import type { ElementTraits, FieldValidation, Layout, LayoutPlace } from '../desktop/model/traits.ts'
import type { Metrics } from '../desktop/style/metrics.ts'
import { DEFAULT_STYLE, type DesktopStyle, styleMetrics } from '../desktop/style/style.ts'
import { type Screens, workArea } from '../desktop/windows/panel.ts'
import { clearOfShell, maximizedOn, monitorOf } from '../desktop/windows/windowing.ts'
import { layOutWindow, withRoomForForm } from './layout/layout.ts'
import { rowTraits } from './records/records-grid.ts'
import type { AuthoredScenario } from './scenario-file.ts'
import { type AuthoredElement, type AuthoredWindow, isTemplateElement, type NamedWindow } from './schema/element.ts'
import { drawnPictureOf } from './schema/picture.ts'

/** The bounds of a window without any. */
export const DEFAULT_BOUNDS: Rect = { x: 0, y: 0, width: 800, height: 600 }
/** Handles count from here. */
export const FIRST_HANDLE = 1000
const FIRST_PID = 10_000

/** The monitors of a scenario, with the primary one marked. */
export function buildMonitors(authored: AuthoredScenario): readonly Monitor[] {
  const monitors: NonNullable<AuthoredScenario['monitors']> = authored.monitors ?? [{ bounds: DEFAULT_SCREEN }]
  const chosen = monitors.findIndex(({ primary }) => primary)
  const atOrigin = monitors.findIndex(({ bounds }) => bounds.x === 0 && bounds.y === 0)
  const primary = chosen >= 0 ? chosen : Math.max(0, atOrigin)
  return monitors.map(({ bounds, scale_factor }, index) => ({
    index,
    primary: index === primary,
    bounds,
    scaleFactor: scale_factor ?? 1,
  }))
}

/** The tree of a window without one. */
export const EMPTY_TREE: AuthoredElement = { role: 'Window', name: '(empty)' }

/** Windows that effects open are counted by their handles, from which their process ids follow. */
export const positionOf = (handle: number): number => handle - FIRST_HANDLE

/** Builds a window that an effect opens. */
export const buildWindowToOpen = (authored: NamedWindow, handle: number, context: BuildContext): Window =>
  buildWindow(authored, authored.uid, handle, positionOf(handle), context)

/** @param made Its tree, by default the one of the file. */
export function buildWindow(
  authored: AuthoredWindow,
  uid: string,
  handle: number,
  position: number,
  context: BuildContext,
  made?: Element,
): Window {
  const metrics = styleMetrics(context.style, context.language)
  const bounds = authored.bounds ?? DEFAULT_BOUNDS
  const tree = made ?? buildElement(authored.tree ?? EMPTY_TREE, 'root', bounds, context)
  const window: Window = {
    uid,
    handle: authored.handle ?? String(handle),
    title: authored.title ?? '',
    process: authored.process || 'scenario.exe',
    pid: authored.pid || FIRST_PID + position,
    bounds,
    tree,
    state: authored.state ?? 'normal',
    frame: authored.frame ?? frameFor(bounds, tree, metrics.title.height),
    focus: [...walk(tree)].find((node) => node.focused)?.id,
    ...(authored.modal_to === undefined ? {} : { modalTo: authored.modal_to }),
    ...(authored.busy === undefined ? {} : { busy: authored.busy }),
  }
  return layOutWindow(window, metrics)
}

/** What windows and elements are built with: the files and pictures that they show and the style of the desktop. */
export interface BuildContext {
  readonly files?: Files | undefined
  readonly style?: DesktopStyle | undefined
  readonly pictures?: PictureFiles | undefined
  /** Whether the desktop is mirrored. */
  readonly isMirrored?: boolean | undefined
  /** The language of the texts that the desktop makes. Undefined: English. */
  readonly language?: string | undefined
}

export const NO_PICTURES: PictureFiles = new Map()

/** The screen of a scenario, without its monitors. The default style is left out. */
export const screenOf = ({ panel, style }: AuthoredScenario): Pick<Desktop, 'panel' | 'style'> => ({
  panel,
  ...(style !== undefined && style !== DEFAULT_STYLE && { style }),
})

/**
 * A window written as maximised fills its monitor and is restored to its written bounds. Any other is moved from under the
 * bars of the style, and a dialog is as high as the style wants its form.
 */
export function fillMonitor(window: Window, screens: Screens & Pick<Desktop, 'language'>): Window {
  const metrics = styleMetrics(screens.style, screens.language)
  const placed = window.state === 'maximized' ? maximizedOn(screens, window) : clearOfShell(screens, window)
  const laid = placed === window ? window : layOutWindow(placed, metrics)
  const monitor = monitorOf(screens, laid.bounds)
  return monitor ? withRoomForForm(laid, workArea(screens, monitor), metrics) : laid
}

/** Inside, unless an element is where the title bar would be; then above, if there is space. */
function frameFor(bounds: Rect, tree: Element, title: number): Window['frame'] {
  const taken = tree.children.some(
    (child) => !child.place && !child.traits?.hidden && child.bounds.y < bounds.y + title,
  )
  if (!taken) return 'inside'
  return bounds.y >= title ? 'outside' : 'none'
}

/** Appends new children to those of a node. Ids that the window already has get a number. */
export function buildChildren(
  window: Window,
  parent: Element,
  authored: readonly AuthoredElement[],
  context: BuildContext,
): readonly Element[] {
  const taken = new Set([...walk(window.tree)].map(({ id }) => id))
  const added = authored.map((child, index) =>
    renamed(buildElement(child, `${parent.id}.${parent.children.length + index}`, undefined, context), taken),
  )
  return [...parent.children, ...added]
}

function renamed(element: Element, taken: Set<string>): Element {
  let id = element.id
  for (let number = 2; taken.has(id); number++) id = `${element.id}~${number}`
  taken.add(id)
  return { ...element, id, children: element.children.map((child) => renamed(child, taken)) }
}

/** Builds an element. `bounds` are the default bounds. Without them the parent places the element. */
export function buildElement(
  authored: AuthoredElement,
  position: string,
  bounds: Rect | undefined,
  context: BuildContext,
): Element {
  const own = authored.bounds ?? bounds
  const content = authored.value ?? textOfFile(context.files, authored.file) ?? null
  const terminal = terminalTextOf(authored.role ?? '', content)
  const traits: ElementTraits = {
    ...traitsOf(authored, styleMetrics(context.style), context),
    ...(terminal && { terminal }),
  }
  const { rich } = traits
  return shaped({
    id: authored.id ?? position,
    role: authored.role ?? 'Unknown',
    name: rich?.text ?? authored.name ?? '',
    value: terminal?.text ?? content,
    bounds: own ?? { x: 0, y: 0, width: 0, height: 0 },
    enabled: authored.enabled ?? true,
    focused: authored.focused ?? false,
    keyboardShortcut: authored.keyboard_shortcut ?? null,
    description: authored.description ?? shownDescription({ traits }),
    children: [
      // The running scenario makes those that follow its data.
      ...(authored.children ?? []).flatMap((child, index) =>
        isTemplateElement(child) ? [] : [buildElement(child, `${position}.${index}`, undefined, context)],
      ),
      ...(rich ? linksIn(rich) : []),
      ...(traits.iconOnly ? toolTipsOf(authored, position) : []),
    ],
    ...withoutUndefined({
      selected: authored.selected,
      expanded: authored.expanded,
      valueNow: authored.value_now,
      valueMin: authored.value_min,
      valueMax: authored.value_max,
      identifier: authored.identifier,
      traits: Object.keys(traits).length > 0 ? traits : undefined,
      layout: authored.layout && (withoutUndefined(authored.layout) as Layout),
      place: own
        ? undefined
        : (withoutUndefined({
            grow: authored.grow,
            width: authored.width,
            height: authored.height,
            at: authored.at,
          }) as LayoutPlace),
    }),
  })
}

/** The tool tip of a button that shows its icon alone, unless its author wrote one. */
function toolTipsOf(
  { id, name = '', description, children = [] }: AuthoredElement,
  position: string,
): readonly Element[] {
  if (name === '' || children.some(({ role }) => roleKind(role ?? '') === 'tooltip')) return []
  const tip = controlPart(`${id ?? position}.tip`, 'ToolTip', description ?? name, NOWHERE, {
    traits: { added: true },
    place: {},
  })
  return [tip]
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 }

function acceptOf(accept: NonNullable<AuthoredElement['accept']>): NonNullable<ElementTraits['accept']> {
  const listOf = (kinds: string | readonly string[]) => (typeof kinds === 'string' ? [kinds] : kinds)
  if (typeof accept === 'string' || Array.isArray(accept)) return { kinds: listOf(accept) }
  return withoutUndefined({ ...accept, kinds: listOf(accept.kinds) }) as NonNullable<ElementTraits['accept']>
}

/** The traits of a written element or change. */
export const traitsOf = (
  authored: AuthoredElement,
  metrics: Metrics,
  { pictures = NO_PICTURES, isMirrored = false }: Pick<BuildContext, 'pictures' | 'isMirrored'>,
): ElementTraits =>
  withoutUndefined({
    secret: authored.secret ?? (isSecretRole(authored.role ?? '') || undefined),
    hidden: authored.hidden,
    placeholder: authored.placeholder,
    choices: authored.choices,
    readOnly: authored.read_only,
    multiline: authored.multiline,
    lineNumbers: authored.line_numbers,
    wrap: authored.wrap,
    maxLength: authored.max_length,
    presses: authored.presses,
    closes: authored.closes,
    submits: authored.submits,
    validation: authored.validation && (withoutUndefined(authored.validation) as FieldValidation),
    triState: authored.tri_state,
    follow: authored.scroll?.follow,
    multiSelect: authored.multi_select,
    reorder: authored.reorder,
    step: authored.step,
    drag: typeof authored.drag === 'string' ? { kind: authored.drag } : authored.drag,
    accept: authored.accept === undefined ? undefined : acceptOf(authored.accept),
    icon: authored.icon,
    look: authored.look,
    iconOnly: authored.icon_only,
    avatar: authored.avatar,
    badge: authored.badge,
    subtitle: authored.subtitle,
    unread: authored.unread,
    chart: authored.chart,
    rich: authored.rich === undefined ? undefined : richTextOf(authored.rich, isMirrored),
    picture: pictureOf(authored, pictures),
    href: authored.href,
    folder: authored.folder,
    path: authored.file ?? undefined,
    fieldText: authored.role === undefined ? undefined : fieldTextOf(authored.role, metrics, isMirrored),
    fileCommand: authored.file_command,
    ...rowTraits(authored, metrics.row),
  })

/** The file that an element shows, or the picture that is drawn from its data. */
function pictureOf({ src, picture }: AuthoredElement, pictures: PictureFiles): PictureFile | undefined {
  if (src !== undefined) return pictures.get(src)
  const drawn = picture && drawnPictureOf(picture)
  return drawn && drawnPictureFile(drawn)
}

/** A text without its mark-up. Mark-up that a file has is checked before. */
function richTextOf(source: string, isMirrored: boolean): RichText {
  const parsed = parseMarkup(source)
  const rich = typeof parsed === 'string' ? { text: source, spans: [] } : parsed
  return isMirrored ? { ...rich, isMirrored } : rich
}

/** The links of a text, each once, as elements that its layout places. */
export function linksIn({ text, spans }: RichText): readonly Element[] {
  const names = new Map<string, string>()
  for (const { link, from, to } of spans)
    if (link !== undefined) names.set(link, (names.get(link) ?? '') + text.slice(from, to))
  return [...names].map(([id, name]) =>
    shaped({
      id,
      role: 'Hyperlink',
      name: name.trim(),
      value: null,
      bounds: { x: 0, y: 0, width: 0, height: 0 },
      enabled: true,
      focused: false,
      keyboardShortcut: null,
      description: null,
      children: [],
      traits: { inText: true },
      place: {},
    }),
  )
}

/** The text of a file. Undefined if it does not exist. */
export const textOfFile = (files: Files | undefined, path: string | null | undefined): string | undefined =>
  files && typeof path === 'string' && isFile(files, path) ? readFile(files, path) : undefined

type Known<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The fields that are not undefined. */
export function withoutUndefined<T extends object>(fields: T): Known<T> {
  const found: Known<T> = {}
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name] as Known<T>[typeof name]
  return found
}
