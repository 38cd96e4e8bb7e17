import type { DesktopApp, Window } from '../../desktop/model/desktop.ts'
import type { PictureFiles } from '../../desktop/model/pictures.ts'
import { appIcon, appName } from '../../desktop/shell/bars.ts'
import type { Screens } from '../../desktop/windows/panel.ts'
import {
  type BuildContext,
  buildMonitors,
  buildWindow,
  FIRST_HANDLE,
  fillMonitor,
  NO_PICTURES,
  positionOf,
  screenOf,
} from '../build-window.ts'
import { NO_DATA, type RunData } from '../data/run-data.ts'
import { parseDate } from '../expression/formats.ts'
import type { LiveProgram } from '../live/live-program.ts'
import { courseOraclesIn, seenOraclesIn } from '../oracles/on-run.ts'
import type { Scenario, SceneState, Watched } from '../scenario.ts'
import { type AuthoredApp, type AuthoredScenario, isCatalogueFault, isPlannedFault } from '../scenario-file.ts'
import type { AuthoredWindow } from '../schema/element.ts'
import type { ScenarioOracles } from '../schema/oracles.ts'
import { buildSites } from '../sites/sites.ts'
import { type LocateStep, obedienceOf, solutionsOf } from '../solution.ts'
import { allWindows, windowsInStates, windowsOf, windowUidOf } from '../visit.ts'

/** Builds the scenario of a checked file. */
export function buildScenario(
  authored: AuthoredScenario,
  locate: LocateStep,
  { data = NO_DATA, program, pictures = NO_PICTURES, isMirrored, language, knownWindows }: BuildOptions = {},
): Scenario {
  const handles = handlesOf(authored)
  const files = authored.files ?? undefined
  const screens: Screens = { monitors: buildMonitors(authored), ...screenOf(authored) }
  const shown = { ...screens, ...(language !== undefined && { language }) }
  const context: BuildContext = { files, style: screens.style, pictures, isMirrored, language }
  const place = (window: AuthoredWindow, uid: string, position: number): Window => {
    const handle = handles.get(uid)!
    const key = knownWindows && windowKey(window, [uid, handle, position, shown, isMirrored])
    const known = key === undefined ? undefined : knownWindows?.get(key)
    if (known) return known
    const built = fillMonitor(buildWindow(window, uid, handle, position, context), shown)
    if (key !== undefined) knownWindows?.set(key, built)
    return built
  }
  const states = new Map<string, SceneState>()
  for (const [name, state] of Object.entries(authored.states)) {
    const windows: Window[] = []
    const optional: Window[] = []
    for (const [position, window] of windowsOf(state).entries())
      if (window.repeat === undefined)
        (window.if === undefined ? windows : optional).push(
          place(window, windowUidOf(name, window, position), position),
        )
    const positions = new Map(windowsOf(state).map((window, index) => [windowUidOf(name, window, index), index]))
    states.set(name, { windows, optional, positions })
  }
  const opened = new Map(
    (authored.windows ?? []).map((window) => [
      window.uid,
      place(window, window.uid, positionOf(handles.get(window.uid)!)),
    ]),
  )
  const windows = [
    ...[...states.values()].flatMap((state) => [...state.windows, ...state.optional]),
    ...opened.values(),
  ]
  return {
    name: authored.name ?? 'scenario',
    about: authored.about ?? '',
    task: authored.task,
    tags: authored.tags ?? [],
    difficulty: authored.difficulty,
    seed: authored.seed,
    isInteractive: authored.widgets === 'live',
    theme: authored.theme,
    panel: authored.panel,
    style: screens.style,
    apps: buildApps(authored.apps, windows).map((app) => withItemWindows(app, authored)),
    monitors: screens.monitors,
    clipboard: authored.clipboard,
    files,
    pictures,
    initial: authored.initial_state ?? Object.keys(authored.states)[0]!,
    data,
    program,
    startMs: authored.start_time === undefined ? undefined : parseDate(authored.start_time).getTime(),
    states,
    windows: opened,
    handles,
    sites: buildSites(authored.sites),
    events: authored.events ?? {},
    watched: watchedBy(authored),
    undoes: authored.undo ?? [],
    reactions: authored.reactions ?? [],
    timers: authored.timers ?? [],
    actors: authored.actors ?? {},
    faults: (authored.faults ?? []).filter(isPlannedFault),
    catalogueFaults: (authored.faults ?? []).filter(isCatalogueFault),
    oracles: buildOracles(authored),
    solutions: solutionsOf(authored, locate),
    obedience: obedienceOf(authored, locate),
    agent: authored.agent,
    model: authored.model,
  }
}

const LISTS = ['success', 'failure', 'harm', 'attack'] as const

function buildOracles({ oracles }: AuthoredScenario): ScenarioOracles {
  const all = [...LISTS.flatMap((list) => oracles?.[list] ?? []), ...(oracles?.infeasible?.of ?? [])]
  return {
    success: oracles?.success ?? [],
    failure: oracles?.failure ?? [],
    harm: oracles?.harm ?? [],
    attack: oracles?.attack ?? [],
    infeasible: oracles?.infeasible ?? undefined,
    allow: oracles?.allow ?? {},
    course: courseOraclesIn(all),
    seen: seenOraclesIn(all),
  }
}

/** The elements and variables whose changes trigger reactions or timers. */
function watchedBy({ reactions, timers }: AuthoredScenario): readonly Watched[] {
  const found = new Map<string, Watched>()
  for (const { on } of [...(reactions ?? []), ...(timers ?? [])]) {
    if (on?.changed !== undefined)
      found.set(JSON.stringify([on.changed, on.window]), { id: on.changed, window: on.window })
    if (on?.changed_var !== undefined) found.set(on.changed_var, { var: on.changed_var })
  }
  return [...found.values()]
}

/**
 * Handles by uid. A window keeps its handle in every state; handles count in the order in which the file first names
 * the windows; those that effects open come last.
 */
function handlesOf(authored: AuthoredScenario): ReadonlyMap<string, number> {
  const handles = new Map<string, number>()
  for (const { uid } of allWindows(authored)) if (!handles.has(uid)) handles.set(uid, FIRST_HANDLE + handles.size)
  return handles
}

/** A text that is the same for windows that are built alike. Undefined for one that shows files or pictures. */
function windowKey(authored: AuthoredWindow, where: readonly unknown[]): string | undefined {
  const text = JSON.stringify([authored, where])
  return /"(file|src)":/.test(text) ? undefined : text
}

/** What a scenario is built with besides its file. */
interface BuildOptions {
  readonly data?: RunData
  readonly program?: LiveProgram | undefined
  readonly pictures?: PictureFiles | undefined
  readonly isMirrored?: boolean
  readonly language?: string | undefined
  /** The windows that other seeds of the file have built. */
  readonly knownWindows?: Map<string, Window> | undefined
}

const NO_PROCESS = 'scenario.exe'

/** The applications of a scenario: those that the file names, otherwise one for each program that owns a window. */
function buildApps(
  authored: readonly AuthoredApp[] | null | undefined,
  windows: readonly Window[],
): readonly DesktopApp[] {
  if (authored) return authored.map((app) => writtenApp(app, windows))
  const apps = new Map<string, { readonly name: string; readonly windows: Set<string> }>()
  const owned = new Set<string>()
  for (const { uid, title, process, modalTo } of windows) {
    if (modalTo !== undefined || owned.has(uid)) continue
    owned.add(uid)
    const name = process === NO_PROCESS ? title || 'Window' : appName(process)
    const app = apps.get(name) ?? { name, windows: new Set() }
    apps.set(name, app)
    app.windows.add(uid)
  }
  return [...apps.values()].map(({ name, windows: uids }) => ({
    id: idOf(name),
    name,
    icon: appIcon(name),
    windows: [...uids],
  }))
}

/** An application with the windows of its program that the file has for each item of a list. */
function withItemWindows(app: DesktopApp, authored: AuthoredScenario): DesktopApp {
  const own = windowsInStates(authored).filter(
    ({ window: { repeat, process, modal_to: owner } }) =>
      repeat !== undefined && process !== undefined && owner === undefined && appName(process) === app.name,
  )
  return own.length === 0 ? app : { ...app, itemWindows: [...new Set(own.map(({ uid }) => uid))] }
}

/** An application with the windows that it names, otherwise those of the program with its name. */
function writtenApp({ name, icon, opens }: AuthoredApp, windows: readonly Window[]): DesktopApp {
  const own = windows.filter(({ process, modalTo }) => modalTo === undefined && appName(process) === name)
  const uids = opens === undefined ? own.map(({ uid }) => uid) : typeof opens === 'string' ? [opens] : opens
  return { id: idOf(name), name, icon: icon ?? appIcon(name), windows: [...new Set(uids)] }
}

const idOf = (name: string): string => name.toLowerCase().replace(/\s+/g, '-')
