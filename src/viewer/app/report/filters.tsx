import { useId } from 'preact/hooks'
import { NO_FILTER, type ReportFilter, type ReportSort, type RowKind } from '../../model/report-matrix.ts'
import { categoryText } from '../../model/report-words.ts'
import { CELL_CONTENTS, type CellContent } from './cell.tsx'

interface FiltersProps {
  readonly filter: ReportFilter
  readonly onFilter: (filter: ReportFilter) => void
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly isCompared: boolean
  readonly kind: RowKind
  readonly onKind: (kind: RowKind) => void
  readonly content: CellContent
  readonly onContent: (content: CellContent) => void
  readonly sort: ReportSort
  readonly onSort: (sort: ReportSort) => void
}

const SORTS = { suite: 'suite', name: 'name', success: 'success', steps: 'steps', flips: 'flips' } as const
const CONTENT_WORDS: Readonly<Record<CellContent, string>> = {
  result: 'result',
  score: 'score',
  steps: 'steps × shortest',
}

/** What the matrix keeps, how it is sorted, and what its cells show. */
export function Filters({ filter, onFilter, categories, tags, isCompared, ...props }: FiltersProps) {
  const { kind, onKind, content, onContent, sort, onSort } = props
  const change = (part: Partial<ReportFilter>) => onFilter({ ...filter, ...part })
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_FILTER)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form would be submitted, and the search element is not in all browsers.
    <div class="filters" role="search" aria-label="Filter of the matrix">
      <input
        type="search"
        aria-label="Find tasks, tags and messages"
        placeholder="Find tasks, tags, messages"
        value={filter.text}
        onInput={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filter.isFailedOnly}
          onChange={({ currentTarget }) => change({ isFailedOnly: currentTarget.checked })}
        />
        Failed only
      </label>
      <label class="check" title={isCompared ? 'Episodes that one result solved' : 'Runs that end differently'}>
        <input
          type="checkbox"
          checked={filter.isFlipsOnly}
          onChange={({ currentTarget }) => change({ isFlipsOnly: currentTarget.checked })}
        />
        {isCompared ? 'Flips only' : 'Flaky only'}
      </label>
      {categories.length > 0 && (
        <Choice
          label="Failure"
          value={filter.category}
          options={[['', 'any'], ...categories.map((name) => [name, categoryText(name)] as const)]}
          onChange={(category) => change({ category })}
        />
      )}
      {tags.length > 0 && (
        <Choice
          label="Tag"
          value={filter.tag}
          options={[['', 'any'], ...tags.map((name) => [name, name] as const)]}
          onChange={(tag) => change({ tag })}
        />
      )}
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onFilter(NO_FILTER)}>
          Clear filter
        </button>
      )}
      <span class="grow" />
      <Choice
        label="Rows"
        value={kind}
        options={[
          ['task', 'tasks'],
          ['condition', 'seeds and variants'],
        ]}
        onChange={(value) => onKind(value as RowKind)}
      />
      <Choice
        label="Sort"
        value={sort.by}
        options={[
          ...Object.entries(SORTS).filter(([by]) => by !== 'flips' || isCompared),
          ...(sort.by === 'column' ? [['column', 'a column'] as const] : []),
        ]}
        onChange={(by) => onSort({ by: by as keyof typeof SORTS, isDown: by === 'flips' || by === 'steps' })}
      />
      <Choice
        label="Show"
        value={content}
        options={CELL_CONTENTS.map((each) => [each, CONTENT_WORDS[each]] as const)}
        onChange={(value) => onContent(value as CellContent)}
      />
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <span class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
