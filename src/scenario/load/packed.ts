import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, shaped } from '../../desktop/model/element.ts'
import { liveHosts, liveWindows } from '../composition/templates.ts'
import { createScope, type LiveScope, type ScopeOptions } from '../data/scope.ts'
import type { LiveProgram, LiveSide } from '../live/live-program.ts'
import { liveTemplatesOf } from '../live/live-template.ts'
import { workbookOf } from '../records/check-sheets.ts'
import { formulaBarsOf } from '../records/formula-bar.ts'
import { recordsBindings } from '../records/records-grid.ts'
import type { Scenario, SceneState } from '../scenario.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { ScenarioSource } from '../seeds.ts'
import { textFormatOf } from '../variants/locales.ts'
import { formatShown } from './live.ts'

/** A checked and laid out scenario as plain data, which can be sent to another thread. */
export interface PackedScenario {
  readonly plain: Omit<Scenario, 'program'>
  readonly source: ScenarioSource
  /** The file in the variant of the scenario. */
  readonly authored: AuthoredScenario
  readonly scope: ScopeOptions
  readonly program: PackedProgram | undefined
}

/** A program without its compiled expressions. */
interface PackedProgram extends Pick<LiveProgram, 'bindings' | 'inputs' | 'readsTime'> {
  readonly texts: readonly string[]
  readonly sides: readonly LiveSide[]
}

/** Packs a scenario together with what its program was compiled from. */
export function packScenario(
  { program, ...plain }: Scenario,
  source: ScenarioSource,
  authored: AuthoredScenario,
  { vars, constants, initial, computed }: LiveScope,
): PackedScenario {
  const packed = program && {
    texts: [...program.templates.keys()],
    bindings: program.bindings,
    inputs: program.inputs,
    readsTime: program.readsTime,
    sides: program.windows.flatMap(({ items }) => items?.sides ?? []),
  }
  const authoredComputed = [...computed].map(([name, { text }]) => ({ name, text }))
  return { plain, source, authored, scope: { vars, constants, initial, computed: authoredComputed }, program: packed }
}

/** The scenario of a packed one. Its expressions are compiled when they are first used. */
export function openPacked({ plain, authored, scope: names, program: packed }: PackedScenario): Scenario {
  const revive = elementReviver()
  const reviveWindow = (window: Window): Window => ({ ...window, tree: revive(window.tree) })
  const states = [...plain.states].map(([name, { windows, optional, positions }]): [string, SceneState] => [
    name,
    { windows: windows.map(reviveWindow), optional: optional.map(reviveWindow), positions },
  ])
  const windows = [...plain.windows].map(([uid, window]) => [uid, reviveWindow(window)] as const)
  return {
    ...plain,
    states: new Map(states),
    windows: new Map(windows),
    program: packed && unpackProgram(packed, authored, createScope(names), plain.language),
  }
}

function unpackProgram(
  { texts, sides, ...packed }: PackedProgram,
  authored: AuthoredScenario,
  scope: LiveScope,
  language: string | undefined,
): LiveProgram {
  const format = textFormatOf(language)
  const templates = liveTemplatesOf(texts)
  const workbook = workbookOf(authored)
  return {
    ...packed,
    scope,
    templates,
    hosts: liveHosts(authored, { scope, templates }),
    windows: liveWindows(authored, { scope, templates }, sides),
    records: recordsBindings(authored, scope, workbook),
    workbook,
    formulaBars: formulaBarsOf(authored),
    ...(format && { formatText: formatShown(authored, format) }),
  }
}

/** Gives elements the class that memoises their values. An element that several states share stays one. */
function elementReviver(): (element: Element) => Element {
  const known = new Map<Element, Element>()
  const revive = (element: Element): Element => {
    const found = known.get(element)
    if (found) return found
    const made = shaped({ ...element, children: element.children.map(revive) })
    known.set(element, made)
    return made
  }
  return revive
}
