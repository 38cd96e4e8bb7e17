import { useEffect, useRef, useState } from 'preact/hooks'
import { drawPixelDifference, type PixelDifference } from '../../model/pixel-difference.ts'
import { Empty } from '../ui/panel.tsx'
import { ScreenView, type ViewerPicture } from '../ui/screen.tsx'
import type { Pictures } from './pictures.ts'

const MODES = ['slider', 'blink', 'difference'] as const
type Mode = (typeof MODES)[number]
const LABELS: Readonly<Record<Mode, string>> = { slider: 'Slider', blink: 'Blink', difference: 'Difference' }
/** How long each picture is shown while they blink, in milliseconds. */
const BLINK_MS = 600

interface PixelChangesProps {
  readonly pictures: Pictures
  /** Indexes into `frames`. */
  readonly before: number | undefined
  readonly after: number | undefined
}

/** How the picture changed: a slider between both, both in turns, or the pixels that differ. */
export function PixelChanges({ pictures, before, after }: PixelChangesProps) {
  const [mode, setMode] = useState<Mode>('slider')
  const difference = useDifference(pictures, before, after)
  const [old, now] = [pictures.picture(before), pictures.picture(after)]
  if (!old || !now) return <Empty>The recording has no pictures of this step.</Empty>
  if (old.width !== now.width || old.height !== now.height)
    return (
      <Empty>
        The size of the screen changed from {old.width} × {old.height} to {now.width} × {now.height}.
      </Empty>
    )
  return (
    <>
      <div class="changes-bar">
        <fieldset class="segments">
          <legend class="sr-only">Comparison</legend>
          {MODES.map((name) => (
            <button key={name} type="button" aria-pressed={name === mode} onClick={() => setMode(name)}>
              {LABELS[name]}
            </button>
          ))}
        </fieldset>
        <span class="muted pixel-count" role="status">
          {difference ? countText(difference, now) : 'Comparing…'}
        </span>
      </div>
      {mode === 'slider' && <SliderMode old={old} now={now} />}
      {mode === 'blink' && <BlinkMode old={old} now={now} />}
      {mode === 'difference' && difference && (
        <ScreenView
          picture={difference.picture}
          label="Changed pixels in red"
          outlines={difference.box ? [{ box: difference.box, kind: 'changed' }] : []}
        />
      )}
    </>
  )
}

const countText = ({ count }: PixelDifference, { width, height }: ViewerPicture): string => {
  if (count === 0) return 'No pixel changed'
  const percent = (count / (width * height)) * 100
  return `${count.toLocaleString('en')} pixels changed (${percent < 0.1 ? '< 0.1' : percent.toFixed(1)} %)`
}

/** Both pictures as layers; `share` of the later one is shown from the right. */
function Layers({
  old,
  now,
  share,
  words,
}: {
  readonly old: ViewerPicture
  readonly now: ViewerPicture
  readonly share: number
  readonly words: string
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current!
    element.width = now.width
    element.height = now.height
    void now.draw(element.getContext('2d')!, undefined)
  }, [now.key])
  return (
    <ScreenView picture={old} label={words}>
      <canvas class="layer" ref={canvas} style={{ clipPath: `inset(0 0 0 ${share}%)` }} />
      {share > 0 && share < 100 && <span class="split" style={{ left: `${share}%` }} />}
    </ScreenView>
  )
}

function SliderMode({ old, now }: { readonly old: ViewerPicture; readonly now: ViewerPicture }) {
  const [share, setShare] = useState(50)
  return (
    <>
      <Layers old={old} now={now} share={share} words={`Before the step left of ${share} %, after it to the right`} />
      <label class="slider-row">
        <span>Before</span>
        <input
          type="range"
          aria-label="Share of the picture before the step"
          min={0}
          max={100}
          value={share}
          onInput={(event) => setShare(Number(event.currentTarget.value))}
        />
        <span>After</span>
      </label>
    </>
  )
}

function BlinkMode({ old, now }: { readonly old: ViewerPicture; readonly now: ViewerPicture }) {
  const [isNow, setIsNow] = useState(false)
  const [runs, setRuns] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => setIsNow((shown) => !shown), BLINK_MS)
    return () => clearInterval(timer)
  }, [runs])
  return (
    <>
      <Layers old={old} now={now} share={isNow ? 0 : 100} words={`The screen ${isNow ? 'after' : 'before'} the step`} />
      <div class="slider-row">
        <button type="button" onClick={() => setRuns(!runs)}>
          {runs ? 'Pause' : 'Blink'}
        </button>
        <button type="button" onClick={() => setIsNow(!isNow)}>
          Swap
        </button>
        <strong>{isNow ? 'After' : 'Before'}</strong>
      </div>
    </>
  )
}

/** Compares two pictures. Undefined until that is done. */
function useDifference(
  pictures: Pictures,
  before: number | undefined,
  after: number | undefined,
): (PixelDifference & { readonly picture: ViewerPicture }) | undefined {
  const [found, setFound] = useState<PixelDifference & { readonly picture: ViewerPicture }>()
  useEffect(() => {
    let isWanted = true
    setFound(undefined)
    if (before === undefined || after === undefined) return
    const compare = async () => {
      const [old, now] = await Promise.all([pictures.pixels(before), pictures.pixels(after)])
      if (!isWanted || old.width !== now.width || old.height !== now.height) return
      const out = new ImageData(now.width, now.height)
      const difference = drawPixelDifference(old.data, now.data, now.width, out.data)
      const { width, height } = now
      const key = `difference ${before} ${after}`
      setFound({ ...difference, picture: { key, width, height, draw: (context) => context.putImageData(out, 0, 0) } })
    }
    void compare()
    return () => {
      isWanted = false
    }
  }, [pictures, before, after])
  return found
}
