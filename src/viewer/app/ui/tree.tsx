import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type ElementPlace, elementValue, type ViewerWindow } from '../../model/element.ts'
import { keysAbove, lineKey, type TreeLine, treeLines } from '../../model/tree-changes.ts'
import { itemsInView, useScrollView } from './lists.ts'

interface TreeProps {
  readonly windows: readonly ViewerWindow[]
  readonly hovered?: ElementPlace | undefined
  readonly selected?: ElementPlace | undefined
  readonly onHover?: (place: ElementPlace | undefined) => void
  readonly onSelect?: (place: ElementPlace) => void
  /** Further classes of an element's line, such as `changed`. */
  readonly kindOf?: (place: ElementPlace) => string | undefined
}

/** The height of a line in pixels, as in the style sheet. */
const LINE = 24
/** Lines that are drawn above and below those in view. */
const MARGIN = 12

const placeOf = ({ window, element }: TreeLine): ElementPlace | undefined => element && { window, element: element.id }
const keyOf = (place: ElementPlace | undefined) => place && lineKey(place.window, place.element)

/** The trees of all windows. Draws only the lines in view, so that 10,000 elements cost as little as 100. */
export function ElementTree({ windows, hovered, selected, onHover, onSelect, kindOf }: TreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  const view = useScrollView(box)
  const lines = useMemo(() => treeLines(windows, closed), [windows, closed])
  const found = lines.findIndex(({ key }) => key === current)
  const currentAt = Math.max(0, found)

  /** Scrolls a line into view. */
  const reveal = (at: number, isCentred: boolean) => {
    const element = box.current
    if (at < 0 || !element) return
    const [top, end] = [at * LINE, (at + 1) * LINE]
    const { scrollTop, clientHeight } = element
    if (top >= scrollTop && end <= scrollTop + clientHeight) return
    element.scrollTop = isCentred ? top - clientHeight / 2 : top < scrollTop ? top : end - clientHeight
  }
  useEffect(() => {
    const place = hovered ?? selected
    if (!place) return
    const above = keysAbove(windows, place.window, place.element)
    if (above.some((key) => closed.has(key))) setClosed(new Set([...closed].filter((key) => !above.includes(key))))
    reveal(
      lines.findIndex(({ key }) => key === keyOf(place)),
      true,
    )
  }, [keyOf(hovered), keyOf(selected)])
  useEffect(() => {
    if (selected) setCurrent(keyOf(selected))
  }, [keyOf(selected)])

  const toggle = ({ key, isOpen }: TreeLine) => {
    const next = new Set(closed)
    if (isOpen) next.add(key)
    else next.delete(key)
    setClosed(next)
  }
  const go = (at: number) => {
    const to = Math.max(0, Math.min(lines.length - 1, at))
    const line = lines[to]
    if (!line) return
    setCurrent(line.key)
    reveal(to, false)
    onHover?.(placeOf(line))
  }
  const select = (line: TreeLine) => {
    setCurrent(line.key)
    const place = placeOf(line)
    if (place) onSelect?.(place)
    else toggle(line)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[currentAt]
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(view.height / LINE) - 1)
    const parentAt = lines.findLastIndex((each, at) => at < currentAt && each.level < line.level)
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(currentAt + 1),
      ArrowUp: () => go(currentAt - 1),
      ArrowRight: () => (line.hasChildren && !line.isOpen ? toggle(line) : go(currentAt + (line.hasChildren ? 1 : 0))),
      ArrowLeft: () => (line.hasChildren && line.isOpen ? toggle(line) : go(parentAt)),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      PageDown: () => go(currentAt + page),
      PageUp: () => go(currentAt - page),
      Enter: () => select(line),
      ' ': () => select(line),
    }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  const { first, end: last } = itemsInView(view.top, view.height, LINE, lines.length, MARGIN)
  const drawn = lines.slice(first, last).map((line, index) => ({ line, at: first + index }))
  const currentLine = lines[currentAt]
  // The line that has the keyboard is always drawn, so that it can be named.
  if (currentLine && (currentAt < first || currentAt >= last)) drawn.push({ line: currentLine, at: currentAt })
  return (
    <div
      class="tree"
      role="tree"
      aria-label="Elements"
      tabIndex={0}
      ref={box}
      {...(currentLine && { 'aria-activedescendant': idOf(currentLine.key) })}
      onKeyDown={onKeyDown}
      onMouseLeave={() => onHover?.(undefined)}
    >
      <div class="tree-lines" role="presentation" style={{ height: `${lines.length * LINE}px` }}>
        {drawn.map(({ line, at }) => (
          <Line
            key={line.key}
            line={line}
            top={at * LINE}
            classes={[
              line.key === keyOf(hovered) && 'hovered',
              at === currentAt && 'current',
              placeOf(line) && kindOf?.(placeOf(line)!),
            ]}
            isSelected={line.key === keyOf(selected)}
            onToggle={() => toggle(line)}
            onHover={() => onHover?.(placeOf(line))}
            onSelect={() => select(line)}
          />
        ))}
      </div>
    </div>
  )
}

/** Ids of elements may have any characters; those of the page must have no space. */
const idOf = (key: string): string => `line-${encodeURIComponent(key)}`

interface LineProps {
  readonly line: TreeLine
  readonly top: number
  readonly classes: readonly (string | false | undefined)[]
  readonly isSelected: boolean
  readonly onToggle: () => void
  readonly onHover: () => void
  readonly onSelect: () => void
}

function Line({ line, top, classes, isSelected, onToggle, onHover, onSelect }: LineProps) {
  const { key, element, title, level, hasChildren, isOpen } = line
  const value = element && elementValue(element)
  const kinds = ['line', !element && 'window', element && !element.enabled && 'disabled', element?.hidden && 'hidden']
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its active line.
    <div
      id={idOf(key)}
      role="treeitem"
      class={[...kinds, ...classes].filter(Boolean).join(' ')}
      aria-level={level}
      aria-selected={isSelected}
      {...(hasChildren && { 'aria-expanded': isOpen })}
      style={{ transform: `translateY(${top}px)`, paddingInlineStart: `${6 + (level - 1) * 14}px` }}
      onMouseEnter={onHover}
      onClick={onSelect}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys open and close lines. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys open and close lines. */}
      <span
        class={hasChildren ? (isOpen ? 'twist open' : 'twist') : 'twist none'}
        onClick={(event) => {
          event.stopPropagation()
          if (hasChildren) onToggle()
        }}
      />
      <span class="role">{element ? element.role : 'window'}</span>
      <span class="name">{title}</span>
      {value !== undefined && value !== '' && value !== title && <span class="value">{value}</span>}
      {element?.focused && <span class="badge">focus</span>}
    </div>
  )
}
