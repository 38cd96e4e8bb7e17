import type { IconName } from '../../../desktop/model/pictures.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import { DESKTOP_STYLES } from '../../../desktop/style/style.ts'
import { PERSONALITIES } from '../../personalities/personalities.ts'
import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { choiceAxis, withWritten } from '../axis.ts'
import { mapTrees, treesOf } from '../rewrite-file.ts'

/** High contrast replaces the colours of the theme. */
export const contrast = choiceAxis({
  name: 'contrast',
  about: 'High contrast, as a setting of the system: it replaces the colours of any theme.',
  choices: ['normal', 'high'],
  apply: (subject, value) =>
    value === 'high' ? withWritten(subject, { ...subject.written, theme: 'high-contrast' }) : subject,
})

const THEMES = ['light', 'dark'] as const

/** The colours of the screen. */
export const theme = choiceAxis({
  name: 'theme',
  about: 'The colours of the screen.',
  choices: THEMES,
  apply: (subject, value) =>
    withWritten(subject, { ...subject.written, theme: THEMES.find((name) => name === value) ?? 'light' }),
})

/** The system that the desktop looks like. Samples of variants do not choose it; datasets draw it by themselves. */
export const style = {
  ...choiceAxis({
    name: 'style',
    about: 'The system that windows, controls and the shell look like. Drawn in datasets only.',
    choices: DESKTOP_STYLES,
    apply: (subject, value) =>
      withWritten(subject, { ...subject.written, style: DESKTOP_STYLES.find((name) => name === value) }),
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
function iconFor({ role, name = '', icon }: WrittenElement): IconName | undefined {
  if (kindOf(role ?? '') !== 'button' || name === '') return undefined
  return icon ?? ICONS_BY_WORD.find(([words]) => words.test(name))?.[1]
}

/** Buttons that show an icon instead of their name. */
export const icons = choiceAxis({
  name: 'icons',
  about:
    'Buttons with an icon, or a name that has a common one, show the icon alone. The tree and the tooltip have the name.',
  choices: ['only'],
  obstacle: (written) => (hasButton(written) ? undefined : 'no button has an icon or a name that has a common one'),
  apply: (subject) => {
    const { written } = subject
    return withWritten(
      subject,
      mapTrees(written, (tree) => withIcons(tree)),
    )
  },
})

const hasButton = (written: WrittenScenario): boolean => treesOf(written).some(holdsButton)

const holdsButton = (element: WrittenElement): boolean =>
  iconFor(element) !== undefined || (element.children ?? []).some(holdsButton)

function withIcons(element: WrittenElement): WrittenElement {
  const children = element.children?.map(withIcons)
  const own: WrittenElement = children ? { ...element, children } : element
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
