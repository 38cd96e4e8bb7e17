import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { type ElementPlace, elementOfPlace, type ScreenPoint, viewerElementAt } from '../../model/element.ts'
import type { LiveElement, LiveMatch } from '../../model/live.ts'
import { Empty, Panel, Tabs } from '../ui/panel.tsx'
import type { Outline } from '../ui/screen.tsx'
import { ElementTree } from '../ui/tree.tsx'
import type { LiveClient } from './client.ts'
import { ScenarioPanel, ScenarioRecorderPanel, TimePanel } from './control-panels.tsx'
import { ElementPanel, SelectorPanel, WindowList } from './elements-panel.tsx'
import { LogPanel } from './log-panel.tsx'
import { elementWords, type NamedElement, Stage } from './stage.tsx'
import { DataPanel, OraclePanel, ReactionPanel } from './state-panels.tsx'
import type { KnownScreen, LiveState } from './use-screen.ts'
import { useActions, useExplanation, useScenarioRecorder } from './use-session.ts'

interface WorkbenchProps {
  readonly live: LiveState
  readonly screen: KnownScreen
  readonly client: LiveClient
}

type Part = 'windows' | 'tree' | 'element' | 'log' | 'oracles' | 'selector' | 'reactions' | 'recorder' | 'data'

/** The longest text of a label on the screen. */
const MAX_LABEL_LENGTH = 60

/** The screen with everything around it: in columns, or below each other in a narrow window. */
export function Workbench({ live, screen, client }: WorkbenchProps) {
  const { windows, scenario, synthetic, windows_version: version, oracles } = screen
  const isNarrow = useNarrow()
  const [part, setPart] = useState<Part>(isNarrow ? 'windows' : 'log')
  const [hovered, setHovered] = useState<ElementPlace>()
  const [hoveredWindow, setHoveredWindow] = useState<string>()
  const [selected, setSelected] = useState<ElementPlace>()
  const [chosenWindow, setChosenWindow] = useState<string>()
  const [isActing, setActing] = useState(false)
  const [hit, setHit] = useState<LiveElement>()
  const [tried, setTried] = useState<{ readonly text: string; readonly window?: string | undefined }>({ text: '' })
  const [matches, setMatches] = useState<readonly LiveMatch[]>([])
  const { report, call, sent } = useActions(client, live.refresh)
  const reasons = useExplanation(client)
  const recorder = useScenarioRecorder(screen, sent)

  const shownWindows = windows.filter(({ uid }) => uid === chosenWindow)
  const treeWindows = shownWindows.length > 0 ? shownWindows : windows
  const selectedElement = selected && elementOfPlace(windows, selected)
  const hoveredElement = hovered && elementOfPlace(windows, hovered)
  const onMatches = useCallback((_window: string, found: readonly LiveMatch[]) => setMatches(found), [])

  const select = (place: ElementPlace) => {
    setSelected(place)
    setHovered(undefined)
  }
  const selectAt = (at: ScreenPoint) => {
    const place = viewerElementAt(windows, at)
    if (!place) return
    if (chosenWindow !== undefined && place.window !== chosenWindow) setChosenWindow(undefined)
    select(place)
    if (isNarrow) setPart('element')
  }
  const target = selected && { window_uid: selected.window, element_id: selected.element }
  const rewind = (step: number) => void call('session_rewind', { to_step: step }, `rewind to step ${step}`)
  const windowBox = windows.find(({ uid }) => uid === hoveredWindow)
  const outlines: readonly Outline[] = [
    ...matches.map(({ bounds }): Outline => ({ box: bounds, kind: 'meant' })),
    ...(hit ? [{ box: hit.bounds, kind: 'hit', label: labelOf(hit) } as const] : []),
    ...(windowBox ? [{ box: windowBox.bounds, kind: 'hover' } as const] : []),
    ...(selectedElement ? [{ box: selectedElement.bounds, kind: 'selected' } as const] : []),
    ...(hoveredElement ? [{ box: hoveredElement.bounds, kind: 'hover', label: labelOf(hoveredElement) } as const] : []),
  ]

  const parts: Readonly<Record<Part, () => ComponentChildren>> = {
    windows: () => (
      <WindowList
        windows={windows}
        chosen={chosenWindow}
        onChoose={setChosenWindow}
        onHover={setHoveredWindow}
        onRaise={isActing ? (uid) => void call('bring_to_foreground', { window_uid: uid }, 'raise') : undefined}
      />
    ),
    tree: () => (
      <ElementTree
        windows={treeWindows}
        hovered={hovered}
        selected={selected}
        onHover={setHovered}
        onSelect={(place) => {
          select(place)
          if (isNarrow) setPart('element')
        }}
      />
    ),
    element: () => (
      <ElementPanel
        client={client}
        place={selectedElement && selected}
        element={selectedElement}
        version={version}
        isActing={isActing}
        onUse={(tool, more) => void call(tool, { ...target, ...more })}
        onTry={(text) => {
          setTried({ text, window: selected?.window })
          setPart('selector')
        }}
      />
    ),
    log: () => (
      <LogPanel
        calls={screen.calls}
        fired={screen.fired}
        onShow={setHit}
        onExplain={(sequence) => {
          setPart('reactions')
          void reasons.explainCall(sequence)
        }}
        onRewind={scenario ? rewind : undefined}
      />
    ),
    oracles: () => <OraclePanel oracles={oracles} />,
    selector: () => (
      <SelectorPanel
        client={client}
        windows={windows}
        version={version}
        text={tried.text}
        onText={(text) => setTried({ ...tried, text })}
        windowUid={tried.window}
        onWindow={(window) => setTried({ ...tried, window })}
        onMatches={onMatches}
        onSelect={(window, element) => select({ window, element })}
      />
    ),
    reactions: () =>
      synthetic ? (
        <ReactionPanel
          explanation={reasons.explanation}
          problem={reasons.problem}
          selected={selectedElement && elementWords(selectedElement)}
          onExplain={(tool, more) => void reasons.explain(tool, { ...target, ...more })}
        />
      ) : (
        <Empty>A real desktop has no reactions.</Empty>
      ),
    recorder: () => (
      <ScenarioRecorderPanel
        calls={recorder.calls}
        isRecording={recorder.isRecording}
        scenario={{
          scenario: scenario?.file ?? scenario?.name ?? 'desktop',
          isComposed: scenario?.composed,
          seed: scenario?.seed,
          variant: scenario && Object.keys(scenario.variant).length > 0 ? scenario.variant : undefined,
        }}
        onStart={recorder.start}
        onStop={recorder.stop}
      />
    ),
    data: () => <DataPanel storage={screen.storage} onRead={client.readFile} />,
  }
  const drawer = [
    { name: 'log', label: 'Log', note: screen.last_call || undefined },
    { name: 'oracles', label: 'Oracles', note: oracles ? `reward ${oracles.reward}` : undefined },
    { name: 'selector', label: 'Selector' },
    { name: 'reactions', label: 'Reactions' },
    { name: 'recorder', label: 'Recorder', note: recorder.isRecording ? '●' : undefined },
    { name: 'data', label: 'Data' },
  ] as const
  const narrowTabs = [
    { name: 'windows', label: 'Windows', note: windows.length || undefined },
    { name: 'tree', label: 'Tree' },
    { name: 'element', label: 'Element' },
    ...drawer,
  ] as const
  const tabs = isNarrow ? narrowTabs : drawer
  const chosen = tabs.some(({ name }) => name === part) ? part : tabs[0].name

  const stage = (
    <Stage
      screen={screen}
      outlines={outlines}
      isActing={isActing}
      onActing={setActing}
      report={report}
      hoveredWords={hoveredElement && elementWords(hoveredElement)}
      onHover={(at) => setHovered(at && viewerElementAt(windows, at))}
      onSelect={selectAt}
      onInput={(tool, args) => void call(tool, args)}
    />
  )
  const time = scenario && (
    <Panel title="Time" class="fits">
      <TimePanel
        scenario={scenario}
        clock={screen.clock}
        onAdvance={async (ms) => (await call('session_advance', { ms }, `+${ms} ms`)) !== undefined}
        onRewind={rewind}
      />
    </Panel>
  )
  const about = (
    <Panel title="Scenario" class="about">
      {scenario ? (
        <ScenarioPanel
          scenario={scenario}
          episode={screen.episode}
          onReset={async (args) => (await call('session_reset', { observe: 'none', ...args }, 'reset')) !== undefined}
        />
      ) : (
        <Empty>A real desktop has no scenario, and its time passes by itself.</Empty>
      )}
    </Panel>
  )
  const bench = (
    <section class="panel drawer" aria-label="Tools">
      <Tabs label="Tools" tabs={tabs} chosen={chosen} onChoose={setPart}>
        {parts[chosen]()}
      </Tabs>
    </section>
  )
  if (isNarrow)
    return (
      <div class="live narrow">
        {stage}
        {bench}
        {time}
        {about}
      </div>
    )
  return (
    <div class="live">
      <div class="column">
        <Panel title="Windows" note={windows.length} class="fits windows-panel">
          {parts.windows()}
        </Panel>
        {time}
        {about}
      </div>
      <div class="column centre">
        {stage}
        {bench}
      </div>
      <div class="column">
        <Panel title="Elements" class="elements">
          {parts.tree()}
        </Panel>
        <Panel title="Element" class="element">
          {parts.element()}
        </Panel>
      </div>
    </div>
  )
}

const labelOf = (element: NamedElement): string => {
  const words = elementWords(element)
  return words.length > MAX_LABEL_LENGTH ? `${words.slice(0, MAX_LABEL_LENGTH)}…` : words
}

const NARROW = '(max-width: 1000px)'

/** Whether the window is too narrow for columns. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const update = () => setNarrow(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isNarrow
}
