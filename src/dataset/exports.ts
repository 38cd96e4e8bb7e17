import { SPLITS, type Split } from './plan.ts'

/** A line of `grounding.jsonl`, as far as other formats have it. */
export interface GroundingLine {
  readonly image_id: number
  readonly file_name: string
  readonly image_size: readonly [width: number, height: number]
  readonly split: Split
  readonly instruction: string
  readonly bbox: readonly [x: number, y: number, width: number, height: number]
  readonly point: readonly [x: number, y: number]
  readonly role: string
  readonly name_painted: boolean
}

/** A file in the format of another dataset. */
export interface ExportedFile {
  readonly path: string
  readonly content: string
}

/**
 * The instructions in the files that ShowUI (`metadata/SPLIT.json` beside `images/`), OS-Atlas (`os_atlas/SPLIT.json`) and UGround
 * (`uground/SPLIT.jsonl`) are trained from; a file for each split that has instructions.
 */
export function exportedFiles(lines: readonly GroundingLine[]): readonly ExportedFile[] {
  return SPLITS.flatMap((split) => {
    const own = lines.filter((line) => line.split === split)
    if (own.length === 0) return []
    const pictures = byPicture(own)
    return [
      { path: `metadata/${split}.json`, content: jsonLines(pictures.map(showUiPicture)) },
      { path: `os_atlas/${split}.json`, content: jsonLines(own.map(osAtlasSample)) },
      {
        path: `uground/${split}.jsonl`,
        content: pictures.map((each) => `${JSON.stringify(uGroundRow(each))}\n`).join(''),
      },
    ]
  })
}

function byPicture(lines: readonly GroundingLine[]): readonly (readonly GroundingLine[])[] {
  const found = new Map<number, GroundingLine[]>()
  for (const line of lines) {
    const others = found.get(line.image_id)
    if (others) others.push(line)
    else found.set(line.image_id, [line])
  }
  return [...found.values()]
}

/** An array with an element per line. */
const jsonLines = (values: readonly object[]): string =>
  `[\n${values.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`

const DIGITS = 1e6
const share = (part: number, whole: number): number => Math.round((part / whole) * DIGITS) / DIGITS

/** Left, top, right and bottom as shares of the picture. */
const shares = ({ bbox: [x, y, width, height], image_size: [across, down] }: GroundingLine) => [
  share(x, across),
  share(y, down),
  share(x + width, across),
  share(y + height, down),
]

/** Its data tells words from signs. */
const dataType = ({ name_painted }: GroundingLine): 'text' | 'icon' => (name_painted ? 'text' : 'icon')

function showUiPicture(lines: readonly GroundingLine[]): object {
  const { file_name, image_size } = lines[0]!
  return {
    img_url: file_name.replace(/^images\//, ''),
    img_size: image_size,
    element: lines.map((line) => ({
      instruction: line.instruction,
      bbox: shares(line),
      data_type: dataType(line),
      point: [share(line.point[0], line.image_size[0]), share(line.point[1], line.image_size[1])],
    })),
    element_size: lines.length,
  }
}

const osAtlasSample = (line: GroundingLine): object => ({
  img_filename: line.file_name.replace(/^images\//, ''),
  instruction: line.instruction,
  bbox: shares(line),
  data_type: dataType(line),
})

/** UGround has the turns of a picture as a text of JSON, and boxes in pixels. */
function uGroundRow(lines: readonly GroundingLine[]): object {
  const { file_name, image_size } = lines[0]!
  const turns = lines.flatMap(({ instruction, bbox: [x, y, width, height] }) => [
    { from: 'human', value: instruction },
    { from: 'gpt', value: `(${x}, ${y}, ${x + width}, ${y + height})` },
  ])
  return { image: file_name, width: image_size[0], height: image_size[1], conversations: JSON.stringify(turns) }
}
