import type { Desktop, DesktopApp, Window } from '../model/desktop.ts'
import { nodeById } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { part } from '../model/part.ts'
import { type ShellText, shellText } from '../model/shell-texts.ts'
import { documentsFor, recentDocuments } from './documents.ts'
import { pageShown } from './launcher-apps.ts'
import { PLANS } from './launcher-plans.ts'
import { LAUNCHER_UID, shellWindow } from './parts.ts'
import type { ShellStyle } from './shell-places.ts'

/** The id of the field of the launcher. */
export const SEARCH_ID = 'shell.query'

const TITLES: Readonly<Record<ShellStyle, ShellText>> = { windows: 'Start', macos: 'Search', gnome: 'Overview' }
const PLACEHOLDERS: Readonly<Record<ShellStyle, ShellText>> = {
  windows: 'Search for apps, settings, and documents',
  macos: 'Search',
  gnome: 'Type to search',
}

/**
 * The launcher of a style, with the applications whose names contain the text of the field of the one before. Without a
 * text, they are those of a page: by default the one that was shown before.
 */
export function launcherOf(
  desktop: Desktop,
  style: ShellStyle,
  screen: Rect,
  before: Window | undefined,
  page = before ? pageShown(before) : 0,
): Window {
  const old = before && nodeById(before.tree, SEARCH_ID)
  const query = old?.value ?? ''
  const found = appsFor(desktop.apps ?? [], query)
  const documents = query.trim() === '' ? recentDocuments(desktop) : documentsFor(desktop, query)
  const plan = PLANS[style](screen, found, { desktop, documents, query: query.trim(), page, before })
  const field = old
    ? { ...old, bounds: plan.field }
    : part(SEARCH_ID, 'Edit', shellText(desktop, 'Search'), plan.field, {
        value: '',
        traits: { placeholder: shellText(desktop, PLACEHOLDERS[style]) },
      })
  const none = found.length > 0 ? [] : [part('shell.none', 'Text', noneText(desktop, query), plan.none)]
  return shellWindow({
    uid: LAUNCHER_UID,
    title: shellText(desktop, TITLES[style]),
    bounds: plan.bounds,
    shell: 'launcher',
    screen,
    children: [field, ...plan.headings, ...plan.apps, ...none, ...plan.more],
  })
}

const noneText = (desktop: Desktop, query: string): string =>
  query.trim() === ''
    ? shellText(desktop, 'No applications')
    : shellText(desktop, 'No results for "{}"').replace('{}', () => query.trim())

/** The applications whose names contain a text; case is ignored. Those that begin with it are first. */
export function appsFor(apps: readonly DesktopApp[], query: string): readonly DesktopApp[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return apps
  const found = apps.filter(({ name }) => name.toLowerCase().includes(wanted))
  const begins = ({ name }: DesktopApp) => Number(name.toLowerCase().startsWith(wanted))
  return found.sort((a, b) => begins(b) - begins(a))
}
