import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MatrixRow } from '../../model/report-matrix.ts'
import { ratioText } from '../../model/report-words.ts'
import { STATE_SIGNS, stateOf } from './cell.tsx'

/** Whether the page is being printed: then all rows are needed, and not those in view. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser prints what is there when the event has been handled, so that nothing may be left for later.
    const atOnce = (change: boolean) => {
      const { debounceRendering } = options
      options.debounceRendering = (render) => render()
      setPrinting(change)
      if (debounceRendering) options.debounceRendering = debounceRendering
      else delete options.debounceRendering
    }
    const start = () => atOnce(true)
    const end = () => atOnce(false)
    window.addEventListener('beforeprint', start)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', start)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

const ratioWords = (ratio: number | undefined): string => (ratio === undefined ? '–' : ratioText(ratio))

/** The matrix on paper: a table with the signs of all episodes. */
export const PrintedMatrix = ({
  rows,
  isCompared,
}: {
  readonly rows: readonly MatrixRow[]
  readonly isCompared: boolean
}) => (
  <table class="printed-matrix">
    <thead>
      <tr>
        <th scope="col">Task</th>
        <th scope="col">{isCompared ? 'A' : 'Success'}</th>
        {isCompared && <th scope="col">B</th>}
        <th scope="col">{isCompared ? 'Steps of A' : 'Steps'}</th>
        {isCompared && <th scope="col">Steps of B</th>}
        <th scope="col">Episodes</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(
        ({ key, task, note, cells, succeeded, done, otherSucceeded, otherDone, stepsRatio, otherStepsRatio }) => (
          <tr key={key}>
            <th scope="row">
              {task.name} {note}
            </th>
            <td>{`${succeeded}/${done}`}</td>
            {isCompared && <td>{`${otherSucceeded}/${otherDone}`}</td>}
            <td>{ratioWords(stepsRatio)}</td>
            {isCompared && <td>{ratioWords(otherStepsRatio)}</td>}
            <td class="signs">
              {cells
                .map(({ a, b }) => `${STATE_SIGNS[stateOf(a)]}${isCompared ? STATE_SIGNS[stateOf(b)] : ''}`)
                .join(' ')}
            </td>
          </tr>
        ),
      )}
    </tbody>
  </table>
)
