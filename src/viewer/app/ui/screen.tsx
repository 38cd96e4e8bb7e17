import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Box, ScreenPoint } from '../../model/element.ts'

/** A picture that can be drawn. */
export interface ViewerPicture {
  /** Equal for equal pictures. */
  readonly key: string
  readonly width: number
  readonly height: number
  /** Draws the whole picture, or what differs from the picture with the key `drawn` that the canvas shows. */
  draw(context: CanvasRenderingContext2D, drawn: string | undefined): Promise<void> | void
}

/** A rectangle over a picture. */
export interface Outline {
  readonly box: Box
  readonly kind: 'hover' | 'selected' | 'hit' | 'meant' | 'changed'
  readonly label?: string
}

interface ScreenProps {
  readonly picture: ViewerPicture | undefined
  /** What the picture shows, for screen readers. */
  readonly label: string
  readonly outlines?: readonly Outline[]
  /** Where the pointer clicked. */
  readonly mark?: ScreenPoint | undefined
  /** Called with the point below the mouse, and without one when the mouse leaves. */
  readonly onHover?: (at: ScreenPoint | undefined) => void
  readonly onPress?: (at: ScreenPoint, event: MouseEvent) => void
  /** More layers over the picture. */
  readonly children?: ComponentChildren
}

/** A picture of a screen, with outlines in its pixels. It is scaled down to the width that there is. */
export function ScreenView({ picture, label, outlines = [], mark, onHover, onPress, children }: ScreenProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<string | undefined>(undefined)
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!picture || !element || !context) return
    if (element.width !== picture.width || element.height !== picture.height) {
      element.width = picture.width
      element.height = picture.height
      drawn.current = undefined
    }
    if (drawn.current === picture.key) return
    const before = drawn.current
    drawn.current = picture.key
    void picture.draw(context, before)
  }, [picture?.key])
  if (!picture) return null
  const { width, height } = picture
  const at = (event: MouseEvent): ScreenPoint => {
    const shown = canvas.current!.getBoundingClientRect()
    return {
      x: Math.floor(((event.clientX - shown.left) / shown.width) * width),
      y: Math.floor(((event.clientY - shown.top) / shown.height) * height),
    }
  }
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  return (
    <div class="screen" style={{ '--width': `${width}px`, '--ratio': `${width} / ${height}` }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onMouseMove={(event) => onHover?.(at(event))}
        onMouseLeave={() => onHover?.(undefined)}
        onClick={(event) => onPress?.(at(event), event)}
      />
      {outlines.map(({ box, kind, label: text }) => (
        <div
          key={`${kind} ${box.x} ${box.y} ${box.width} ${box.height}`}
          class={`outline ${kind}`}
          aria-hidden="true"
          style={{
            left: share(box.x, width),
            top: share(box.y, height),
            width: share(box.width, width),
            height: share(box.height, height),
          }}
        >
          {text !== undefined && <span>{text}</span>}
        </div>
      ))}
      {mark && (
        <div class="click-mark" aria-hidden="true" style={{ left: share(mark.x, width), top: share(mark.y, height) }} />
      )}
      {children}
    </div>
  )
}

/** A picture in a file, such as a `data:` URL of a PNG. */
export function filePicture(key: string, url: string, width: number, height: number): ViewerPicture {
  return {
    key,
    width,
    height,
    async draw(context) {
      const image = new Image()
      image.src = url
      await image.decode()
      context.drawImage(image, 0, 0)
    },
  }
}
