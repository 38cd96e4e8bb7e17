import { useEffect, useRef, useState } from 'preact/hooks'
import type { ScreenPoint } from '../../model/element.ts'
import { chordOf } from '../../model/keys.ts'
import { Empty } from '../ui/panel.tsx'
import { type Outline, ScreenView } from '../ui/screen.tsx'
import type { KnownScreen } from './use-screen.ts'

/** The latest action of the user, in words. */
export interface ActionReport {
  readonly text: string
  readonly isBad: boolean
}

interface StageProps extends PictureProps {
  readonly onActing: (isActing: boolean) => void
  readonly report: ActionReport | undefined
  /** The element below the mouse, in words. */
  readonly hoveredWords: string | undefined
}

/** The screen of the desktop with its toolbar: looking by default, acting when the user says so. */
export function Stage({ onActing, report, hoveredWords, onHover, ...picture }: StageProps) {
  const [at, setAt] = useState<ScreenPoint>()
  const { isActing, onInput, screen } = picture
  const pointer = screen.pointer.at
  const held = heldWords(screen)
  return (
    <section class={isActing ? 'panel stage acting' : 'panel stage'} aria-label="Screen">
      <div class="panel-head">
        <label class="check">
          <input type="checkbox" checked={isActing} onChange={(event) => onActing(event.currentTarget.checked)} />
          Act
        </label>
        {isActing ? (
          <>
            <SendForm label="Type" placeholder="Text to type" onSend={(text) => onInput('type_text', { text })} />
            <SendForm label="Press" placeholder="tab, ctrl+s…" onSend={(keys) => onInput('press_key', { keys })} />
          </>
        ) : (
          <span class="muted">Looking only. Hover to find elements, click to select one.</span>
        )}
        <span class="grow" />
        <output class={report?.isBad ? 'bad' : 'muted'}>{report?.text}</output>
      </div>
      <div class="panel-body stage-body">
        <Picture
          {...picture}
          onHover={(point) => {
            setAt(point)
            onHover(point)
          }}
        />
      </div>
      <p class="stage-foot">
        <span class="mono at">{at ? `${at.x}, ${at.y}` : '–'}</span>
        <span class="clip">{hoveredWords}</span>
        <span class="grow" />
        {held && <span class="badge warn">{held}</span>}
        {pointer && (
          <span class="muted clip">
            pointer {pointer.x}, {pointer.y}
          </span>
        )}
      </p>
    </section>
  )
}

interface PictureProps {
  readonly screen: KnownScreen
  readonly outlines: readonly Outline[]
  readonly isActing: boolean
  readonly onHover: (at: ScreenPoint | undefined) => void
  readonly onSelect: (at: ScreenPoint) => void
  /** Makes a call. */
  readonly onInput: (tool: string, args: Readonly<Record<string, unknown>>) => void
}

/** The picture with its outlines. Its corner may be elsewhere than that of the screen. */
function Picture({ screen: { shown, pointer }, outlines, isActing, onHover, onSelect, onInput }: PictureProps) {
  if (!shown) return <Empty>The operator of the server denies pictures of the screen.</Empty>
  const { area, width, height } = shown.picture
  const ofScreen = ({ x, y }: ScreenPoint): ScreenPoint => ({ x: x + area.x, y: y + area.y })
  const hover = (pixel: ScreenPoint | undefined) => onHover(pixel && ofScreen(pixel))
  const act = (tool: string, args: Readonly<Record<string, unknown>>, ...pixels: readonly ScreenPoint[]) => {
    const points = pixels.map(ofScreen)
    onInput(tool, points.length > 1 ? { ...args, path: points } : { ...args, ...points[0] })
  }
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  return (
    <ScreenView
      picture={shown.loaded}
      label={`Picture of the screen, ${width} × ${height} pixels`}
      outlines={outlines.map((outline) => ({
        ...outline,
        box: { ...outline.box, x: outline.box.x - area.x, y: outline.box.y - area.y },
      }))}
      onHover={hover}
      onPress={(pixel) => onSelect(ofScreen(pixel))}
    >
      {pointer.at && (
        <div
          class="pointer-mark"
          aria-hidden="true"
          style={{ left: share(pointer.at.x - area.x, width), top: share(pointer.at.y - area.y, height) }}
        />
      )}
      {isActing && <ActLayer width={width} height={height} onHover={hover} onInput={act} />}
    </ScreenView>
  )
}

/** The buttons and keys that are held down, in words. */
function heldWords({ pointer: { buttons, keys } }: KnownScreen): string | undefined {
  const all = [...buttons.map((button) => `${button} button`), ...keys]
  return all.length === 0 ? undefined : `held: ${all.join(', ')}`
}

interface SendProps {
  readonly label: string
  readonly placeholder: string
  readonly onSend: (text: string) => void
}

/** A field with its button. Enter has the same effect as the button. */
function SendForm({ label, placeholder, onSend }: SendProps) {
  const [text, setText] = useState('')
  return (
    <form
      class="send"
      onSubmit={(event) => {
        event.preventDefault()
        onSend(text)
        setText('')
      }}
    >
      <input
        required
        autocomplete="off"
        spellcheck={false}
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">{label}</button>
    </form>
  )
}

/** An element as a line of text. */
export const elementWords = ({ role, name }: NamedElement): string => `${role ?? 'element'} ${name ?? ''}`.trim()

/** An element of which role and name may be unknown. */
export interface NamedElement {
  readonly role: string | null
  readonly name: string | null
}

interface ActLayerProps {
  /** Of the picture, in pixels. */
  readonly width: number
  readonly height: number
  /** Called with the pixel of the picture below the mouse. */
  readonly onHover: (at: ScreenPoint | undefined) => void
  /** Makes the call. Points are pixels of the picture. */
  readonly onInput: (tool: string, args: Readonly<Record<string, unknown>>, ...points: readonly ScreenPoint[]) => void
}

/** A second click within this time makes a double click. */
const DOUBLE_MS = 300
/** Letters typed within this time are sent together. */
const TYPING_MS = 400
/** Turns of the wheel within this time are sent together. */
const WHEEL_MS = 120
/** Movements of the mouse below this distance are part of a click. */
const DRAG_PX = 5

interface Pending {
  click?: ReturnType<typeof setTimeout> | undefined
  typing?: ReturnType<typeof setTimeout> | undefined
  wheel?: ReturnType<typeof setTimeout> | undefined
  text: string
  turns: number
  pressed?: { readonly at: ScreenPoint; readonly x: number; readonly y: number } | undefined
  isDrag: boolean
}

/** Lies over the picture and turns mouse and keyboard of the user into input of the desktop. */
function ActLayer({ width, height, onHover, onInput }: ActLayerProps) {
  const layer = useRef<HTMLDivElement>(null)
  const pending = useRef<Pending>({ text: '', turns: 0, isDrag: false }).current
  const input = useRef(onInput)
  input.current = onInput

  const pointOf = (event: MouseEvent): ScreenPoint => {
    const shown = layer.current!.getBoundingClientRect()
    const pixel = (at: number, length: number, pixels: number) =>
      Math.max(0, Math.min(pixels - 1, Math.floor((at / length) * pixels)))
    return {
      x: pixel(event.clientX - shown.left, shown.width, width),
      y: pixel(event.clientY - shown.top, shown.height, height),
    }
  }
  const sendTyped = () => {
    clearTimeout(pending.typing)
    const { text } = pending
    pending.text = ''
    if (text !== '') input.current('type_text', { text })
  }
  useEffect(() => {
    const element = layer.current!
    element.focus({ preventScroll: true })
    // Only listeners that are not passive can keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const at = pointOf(event)
      pending.turns -= Math.sign(event.deltaY)
      clearTimeout(pending.wheel)
      pending.wheel = setTimeout(() => {
        const clicks = pending.turns
        pending.turns = 0
        if (clicks !== 0) input.current('scroll', { clicks }, at)
      }, WHEEL_MS)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      element.removeEventListener('wheel', onWheel)
      sendTyped()
      for (const timer of [pending.click, pending.wheel]) clearTimeout(timer)
    }
  }, [width, height])

  const onClick = (event: MouseEvent) => {
    if (pending.isDrag) return
    const at = pointOf(event)
    clearTimeout(pending.click)
    sendTyped()
    const isDouble = event.detail % 2 === 0 && event.detail > 0
    const send = () => input.current('click_at', isDouble ? { double: true } : {}, at)
    if (isDouble) send()
    else pending.click = setTimeout(send, DOUBLE_MS)
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    layer.current?.setPointerCapture(event.pointerId)
    pending.isDrag = false
    pending.pressed = { at: pointOf(event), x: event.clientX, y: event.clientY }
  }
  const onPointerUp = (event: PointerEvent) => {
    const { pressed } = pending
    pending.pressed = undefined
    if (!pressed || event.button !== 0) return
    pending.isDrag = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= DRAG_PX
    if (!pending.isDrag) return
    sendTyped()
    input.current('mouse_drag', {}, pressed.at, pointOf(event))
  }
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault()
    sendTyped()
    input.current('click_at', { button: 'right' }, pointOf(event))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Tab leaves the picture, so that nobody who uses the keyboard is caught in it.
    if (event.key === 'Tab' || event.isComposing) return
    const chord = chordOf(event)
    if (!chord) return
    event.preventDefault()
    event.stopPropagation()
    if ('text' in chord) {
      pending.text += chord.text
      clearTimeout(pending.typing)
      pending.typing = setTimeout(sendTyped, TYPING_MS)
      return
    }
    sendTyped()
    input.current('press_key', { keys: chord.keys })
  }
  return (
    <div
      ref={layer}
      class="act-layer"
      role="application"
      aria-label="The desktop. Clicks and keys go to it; Tab leaves it."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys of the user.
      tabIndex={0}
      onPointerMove={(event) => onHover(pointOf(event))}
      onPointerLeave={() => onHover(undefined)}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
    />
  )
}
