import { useEffect, useRef } from 'preact/hooks'

/** The keys of the page, as its help lists them. */
const KEYS: readonly (readonly [keys: string, text: string])[] = [
  ['← →', 'previous and next step'],
  ['Home End', 'start, and last step'],
  ['Space', 'play and pause'],
  ['1 2 3 4', 'picture before, at and after the step, and its pixel changes'],
  ['[ ]', 'start and end the range at this step'],
  ['Esc', 'clear the range'],
  ['/', 'filter the steps'],
  ['N', 'next error'],
  ['L', 'step after which success was impossible'],
  ['C', 'compare with the other recording'],
  ['D', 'first divergence from the other recording'],
  ['S', 'time line and details of the left or the right run, while they are compared'],
  ['?', 'this help'],
]

/** The dialog that lists the keys. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="help" ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        Drag over the film strip to select a range of time. Hover the picture or the tree to find an element.
      </p>
      <button type="button" class="primary" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
