import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { DESKTOP_STYLES } from '../desktop/style/style.ts'
import { DatasetFolder, DISK, type ShardRecord } from './folder.ts'
import { type DatasetPlan, DEFAULT_SPLIT, identityOf, runsOfShard, splitOfScenarios } from './plan.ts'
import { loadOnce, momentsOf, writeShard } from './shard.ts'
import { type DatasetRun, type GroundingLine, writeDataset } from './write-dataset.ts'

// Rules such as [DS1] are stated in README.md beside this file.

const root = mkdtempSync(join(tmpdir(), 'backlot-dataset-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(root, String(++folders))

const PLAN: DatasetPlan = {
  scenarios: ['login'],
  count: 120,
  seed: 3,
  variants: ['theme'],
  variant: {},
  annotations: 'coco',
  split: DEFAULT_SPLIT,
  keepDuplicates: false,
}
const scenarios = loadOnce()
const RECORD: ShardRecord = { images: 1, annotations: 2, texts: 3, grounding: 1, pictures: [] }

/** Writes shards without pictures. */
const fakeRun = (out: string, parts: Partial<DatasetRun> = {}): DatasetRun => ({
  plan: PLAN,
  out,
  version: '1.0.0',
  workers: 2,
  signal: new AbortController().signal,
  openWorker: async () => ({
    write: async (shard) => {
      await new DatasetFolder(out).finishShard(shard, `{"shard":${shard}}\n`, RECORD)
      return RECORD
    },
    close: async () => {},
  }),
  ...parts,
})

const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(folder, path)).toString('base64')]),
  )

interface ShowUiPicture {
  readonly img_url: string
  readonly img_size: readonly [number, number]
  readonly element: readonly {
    readonly instruction: string
    readonly bbox: readonly [number, number, number, number]
    readonly point: readonly [number, number]
  }[]
  readonly element_size: number
}

interface OsAtlasSample {
  readonly img_filename: string
  readonly instruction: string
  readonly bbox: readonly [number, number, number, number]
}

interface UGroundRow {
  readonly image: string
  readonly width: number
  readonly height: number
  readonly conversations: string
}

describe('a plan', () => {
  it('[DS2] takes the scenarios in turn, and different points of one run', async () => {
    const plan = { ...PLAN, scenarios: ['login', 'form'], count: 53 }
    expect(runsOfShard(plan, 0).map(({ scenario }) => scenario)).toEqual(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'login' : 'form')),
    )
    expect(runsOfShard(plan, 1).map(({ pictures }) => pictures)).toEqual([[51, 52, 53]])
    const moments = await momentsOf(runsOfShard(plan, 0)[1]!, plan, scenarios)
    expect(new Set(moments.map(({ desktop }) => desktop)).size).toBe(5)
    expect(new Set(moments.map(({ seed }) => seed)).size).toBe(1)
  })

  it('[DS3] varies the named axes only, and refuses others', async () => {
    const seen = new Set<string>()
    for (const run of runsOfShard(PLAN, 0))
      for (const { variant } of await momentsOf(run, PLAN, scenarios))
        for (const axis of Object.keys(variant)) seen.add(axis)
    expect([...seen]).toEqual(['theme'])
    await expect(identityOf({ ...PLAN, variants: ['thme'] }, '1')).rejects.toThrow(
      '--variants: unknown axis "thme"; did you mean "theme"?',
    )
  })

  it('[DS4] [DS5] draws each style, and keeps the chosen axes', async () => {
    const styles = async (parts: Partial<DatasetPlan>) => {
      const plan: DatasetPlan = { ...PLAN, count: 200, scenarios: ['form'], ...parts }
      const runs = [0, 1, 2, 3].flatMap((shard) => runsOfShard(plan, shard))
      const moments = await Promise.all(runs.map((run) => momentsOf({ ...run, pictures: [1] }, plan, scenarios)))
      return moments.map(([moment]) => moment!)
    }
    const drawn = await styles({ variants: ['style'] })
    for (const style of DESKTOP_STYLES)
      expect(drawn.filter(({ variant }) => variant.style === style).length, style).toBeGreaterThan(3)
    for (const { variant, desktop } of drawn)
      expect([Object.keys(variant), desktop.style ?? 'backlot']).toEqual([['style'], variant.style])
    const chosen = await styles({ variants: 'all', variant: { style: 'macos', theme: 'dark' } })
    for (const { variant, scenario } of chosen) {
      expect(variant).toMatchObject({ style: 'macos', theme: 'dark' })
      expect(scenario.variant).toEqual(variant)
    }
    expect(new Set(chosen.map(({ variant }) => JSON.stringify(variant))).size).toBeGreaterThan(3)
    expect((await identityOf({ ...PLAN, variant: { style: 'macos' } }, '1')).variant).toEqual({ style: 'macos' })
  })

  it('[DS7] repeats points only to keep duplicates, when further variants have none left', async () => {
    const still = { ...PLAN, scenarios: ['desktop'], variants: [] as const, keepDuplicates: true }
    const moments = await momentsOf(runsOfShard(still, 0)[0]!, still, scenarios)
    expect(moments).toHaveLength(5)
    expect(new Set(moments.map(({ seed }) => seed)).size).toBeGreaterThan(1)
    expect(
      await momentsOf(runsOfShard(still, 0)[0]!, { ...still, keepDuplicates: false }, scenarios, () => false),
    ).toEqual([])
  })

  it('[DS6] draws few locales that are derived from texts, unless the axis is named', async () => {
    const derived = async (variants: DatasetPlan['variants']) => {
      const plan: DatasetPlan = { ...PLAN, count: 200, scenarios: ['form'], variants }
      const runs = Array.from({ length: 4 }, (_, shard) => runsOfShard(plan, shard)).flat()
      const moments = await Promise.all(runs.map((run) => momentsOf({ ...run, pictures: [1] }, plan, scenarios)))
      return moments.filter(([moment]) => /pseudo|mirrored/.test(moment!.variant.locale ?? '')).length
    }
    expect(await derived('all')).toBeLessThan(8)
    expect(await derived(['locale'])).toBeGreaterThan(20)
  })

  it('[DS10] gives each scenario to one split, by its name alone', () => {
    const names = Array.from({ length: 20 }, (_, index) => `folder/task-${index}.yaml`)
    const splits = splitOfScenarios({ scenarios: [...names, 'other/task-3.yml'], split: DEFAULT_SPLIT })
    const filesIn = (split: string) => names.filter((name) => splits.get(name) === split)
    expect([filesIn('train').length, filesIn('validation').length, filesIn('test').length]).toEqual([16, 2, 2])
    expect(splits.get('other/task-3.yml')).toBe(splits.get('folder/task-3.yaml'))
    expect(splitOfScenarios({ scenarios: names.toReversed(), split: DEFAULT_SPLIT }).get(names[3]!)).toBe(
      splits.get(names[3]!),
    )
    const few = splitOfScenarios({ scenarios: ['a', 'b', 'c'], split: DEFAULT_SPLIT })
    expect([...few.values()].sort()).toEqual(['test', 'train', 'validation'])
    expect(new Set(splitOfScenarios({ scenarios: ['a', 'b'], split: DEFAULT_SPLIT }).values())).toEqual(
      new Set(['train']),
    )
    expect(new Set(splitOfScenarios({ scenarios: names, split: [100, 0, 0] }).values())).toEqual(new Set(['train']))
  })
})

/** Writes a plan with pictures. */
const writePictures = (plan: DatasetPlan, out: string) =>
  writeDataset(
    fakeRun(out, {
      plan,
      openWorker: async () => ({
        write: (shard: number) => writeShard(plan, shard, new DatasetFolder(out), loadOnce()),
        close: async () => {},
      }),
    }),
  )

const readLines = <T>(path: string): readonly T[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

describe('a dataset', () => {
  it('[DS1] [DS8] [DS9] [DS31] [DS35] has the same bytes twice, and says where each picture is from', async () => {
    const [one, other, lines] = [newFolder(), newFolder(), newFolder()]
    const plan = { ...PLAN, count: 6, keepDuplicates: true }
    const write = (out: string, format: DatasetPlan['annotations'] = 'coco') =>
      writePictures({ ...plan, annotations: format }, out)
    const sums = await write(one)
    await write(other)
    await write(lines, 'lines')
    expect(filesOf(one)).toEqual(filesOf(other))
    expect(Object.keys(filesOf(one))).toEqual([
      'SHA256SUMS',
      'annotations/000001.json',
      'grounding.jsonl',
      ...[1, 2, 3, 4, 5, 6].map((number) => `images/00000${number}.png`),
      'manifest.json',
      'metadata/train.json',
      'os_atlas/train.json',
      'uground/train.jsonl',
    ])
    const coco = JSON.parse(readFileSync(join(one, 'annotations/000001.json'), 'utf8'))
    expect(coco.images[0]).toMatchObject({
      id: 1,
      file_name: 'images/000001.png',
      scenario: 'login',
      step: expect.any(Number),
      run: 1,
      split: 'train',
    })
    expect(Object.keys(coco.images[0].variant)).toEqual(['theme'])
    const ids = coco.annotations.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const manifest = JSON.parse(readFileSync(join(one, 'manifest.json'), 'utf8'))
    const { wasComplete: _, repaired: __, leftOut: ___, ...counts } = sums!
    expect(manifest).toMatchObject({
      identity: {
        format: 'backlot-dataset',
        backlot_version: '1.0.0',
        scenarios: [{ name: 'login', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      },
      counts,
      licence: expect.stringContaining('MIT'),
    })
    const perPicture = readLines<{ image: unknown; annotations: unknown[] }>(join(lines, 'annotations/000001.jsonl'))
    expect(perPicture.flatMap(({ annotations }) => annotations)).toEqual(coco.annotations)
    expect(perPicture.map(({ image }) => image)).toEqual(coco.images)
  })

  it('[DS11] [DS12] leaves out pictures that almost equal others of their run, and equal ones', async () => {
    const plan: DatasetPlan = { ...PLAN, scenarios: ['desktop', 'desktop'], count: 10, variants: [] }
    const out = newFolder()
    const summary = await writePictures(plan, out)
    const pictures = Object.entries(filesOf(out)).filter(([path]) => path.startsWith('images/'))
    expect(new Set(pictures.map(([, bytes]) => bytes)).size).toBe(pictures.length)
    expect(summary).toMatchObject({ images: pictures.length, leftOut: 10 - pictures.length })
    expect(summary!.leftOut).toBeGreaterThan(0)
    const { images, annotations } = JSON.parse(readFileSync(join(out, 'annotations/000001.json'), 'utf8'))
    const numbers = new Set(images.map(({ id }: { id: number }) => id))
    expect(numbers.size).toBe(pictures.length)
    expect(annotations.every(({ image_id }: { image_id: number }) => numbers.has(image_id))).toBe(true)
    const lines = readLines<{ image_id: number }>(join(out, 'grounding.jsonl'))
    expect(lines.every(({ image_id }) => numbers.has(image_id))).toBe(true)
    expect(await writePictures({ ...plan, keepDuplicates: true }, newFolder())).toMatchObject({
      images: 10,
      leftOut: 0,
    })
  })

  it('[DS32] [DS33] finds files that are missing or have changed, and writes their shards again', async () => {
    const out = newFolder()
    const plan = { ...PLAN, count: 52, keepDuplicates: true }
    await writePictures(plan, out)
    const whole = filesOf(out)
    expect(await writePictures(plan, out)).toMatchObject({ images: 52, wasComplete: true, repaired: [] })
    rmSync(join(out, 'images/000051.png'))
    expect(new DatasetFolder(out).damaged()).toEqual([{ path: 'images/000051.png', problem: 'is missing' }])
    const written: number[] = []
    const openWorker = async () => ({
      write: (shard: number) => {
        written.push(shard)
        return writeShard(plan, shard, new DatasetFolder(out), scenarios)
      },
      close: async () => {},
    })
    expect(await writeDataset(fakeRun(out, { plan, openWorker }))).toMatchObject({
      wasComplete: false,
      repaired: [{ path: 'images/000051.png', problem: 'is missing' }],
    })
    expect(written).toEqual([1])
    expect(filesOf(out)).toEqual(whole)
    writeFileSync(join(out, 'grounding.jsonl'), 'cut')
    expect(await writeDataset(fakeRun(out, { plan, openWorker }))).toMatchObject({
      repaired: [{ path: 'grounding.jsonl', problem: 'has changed' }],
    })
    expect(filesOf(out)).toEqual(whole)
  })

  it('[DS34] is read as ShowUI, OS-Atlas and UGround read theirs', async () => {
    const out = newFolder()
    await writePictures({ ...PLAN, count: 4 }, out)
    const lines = readLines<GroundingLine>(join(out, 'grounding.jsonl'))
    const pixels = (value: number, size: number) => Math.round(value * size)

    // ShowUI joins `images/` with `img_url`, and draws an element of the picture with its box and point in shares.
    const showUi = JSON.parse(readFileSync(join(out, 'metadata/train.json'), 'utf8'))
    const seen = showUi.flatMap(({ img_url, img_size: [width, height], element, element_size }: ShowUiPicture) => {
      expect(existsSync(join(out, 'images', img_url))).toBe(true)
      expect(element_size).toBe(element.length)
      return element.map(({ instruction, bbox: [left, top, right, bottom], point }) => ({
        instruction,
        bbox: [
          pixels(left, width),
          pixels(top, height),
          pixels(right, width) - pixels(left, width),
          pixels(bottom, height) - pixels(top, height),
        ],
        point: [pixels(point[0], width), pixels(point[1], height)],
      }))
    })
    expect(seen).toEqual(lines.map(({ instruction, bbox, point }) => ({ instruction, bbox, point })))

    // OS-Atlas has a sample per instruction, with left, top, right and bottom in shares.
    const osAtlas: readonly OsAtlasSample[] = JSON.parse(readFileSync(join(out, 'os_atlas/train.json'), 'utf8'))
    expect(
      osAtlas.map(({ img_filename, instruction, bbox: [left, top, right, bottom] }, at) => {
        const [width, height] = lines[at]!.image_size
        const corner = [pixels(left, width), pixels(top, height)] as const
        return [
          `images/${img_filename}`,
          instruction,
          [...corner, pixels(right, width) - corner[0], pixels(bottom, height) - corner[1]],
        ]
      }),
    ).toEqual(lines.map(({ file_name, instruction, bbox }) => [file_name, instruction, bbox]))

    // UGround has a row per picture, whose conversations are a text of JSON: a description, then a box in pixels.
    const rows = readLines<UGroundRow>(join(out, 'uground/train.jsonl'))
    const answers = rows.flatMap(({ image, width, height, conversations }) => {
      const turns: readonly { from: string; value: string }[] = JSON.parse(conversations)
      return turns.flatMap(({ from, value }, at) => {
        if (from !== 'human') return []
        const { from: by, value: answer } = turns[at + 1]!
        const [x1, y1, x2, y2] = /^\((\d+), (\d+), (\d+), (\d+)\)$/.exec(answer)!.slice(1).map(Number) as [
          number,
          number,
          number,
          number,
        ]
        return [[by, image, [width, height], value, [x1, y1, x2 - x1, y2 - y1]]]
      })
    })
    expect(answers).toEqual(
      lines.map(({ file_name, image_size, instruction, bbox }) => ['gpt', file_name, image_size, instruction, bbox]),
    )
  })

  it('[DS27] is continued with the shards that are missing', async () => {
    const out = newFolder()
    const stop = new AbortController()
    const written: number[] = []
    const openWorker = async () => ({
      write: async (shard: number) => {
        written.push(shard)
        await new DatasetFolder(out).finishShard(shard, `{"shard":${shard}}\n`, RECORD)
        if (written.length === 2) stop.abort()
        return RECORD
      },
      close: async () => {},
    })
    expect(await writeDataset(fakeRun(out, { openWorker, workers: 1, signal: stop.signal }))).toBeUndefined()
    const progress: [number, number][] = []
    const onProgress = (done: number, before: number) => void progress.push([done, before])
    expect(await writeDataset(fakeRun(out, { openWorker, workers: 1, onProgress }))).toMatchObject({
      images: 3,
      wasComplete: false,
    })
    expect(written).toEqual([0, 1, 2])
    expect(progress).toEqual([
      [2, 2],
      [3, 2],
    ])
    const whole = newFolder()
    await writeDataset(fakeRun(whole))
    expect(filesOf(out)).toEqual(filesOf(whole))
    expect(await writeDataset(fakeRun(out))).toMatchObject({ wasComplete: true })
  })

  it('[DS28] is not written over another, nor over other files', async () => {
    const out = newFolder()
    await writeDataset(fakeRun(out))
    await expect(writeDataset(fakeRun(out, { plan: { ...PLAN, seed: 4 } }))).rejects.toThrow(
      `${out} holds another dataset: its seed is 3, not 4; choose another --out, or delete it`,
    )
    const other = mkdtempSync(join(root, 'other-'))
    writeFileSync(join(other, 'thesis.txt'), 'mine')
    await expect(writeDataset(fakeRun(other))).rejects.toThrow('is not empty and holds no dataset')
    await expect(writeDataset(fakeRun(join(other, 'thesis.txt')))).rejects.toThrow('choose another --out')
  })

  it('[DS29] names the file that a full disk has no room for', async () => {
    const out = newFolder()
    const full = new DatasetFolder(out, {
      write: (path, content) => {
        if (path.endsWith('000002.png')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        DISK.write(path, content)
      },
      sync: DISK.sync,
    })
    full.open('{}')
    await expect(writeShard({ ...PLAN, count: 6 }, 0, full, scenarios)).rejects.toThrow(
      `the disk is full: cannot write ${join(out, 'images/000002.png')}; free some space, and the same command continues`,
    )
    expect(full.shard(0)).toBeUndefined()
    expect(readdirSync(join(out, 'images'))).toEqual(['000001.png'])
  })

  it('[DS30] is given up after a shard has ended three workers', async () => {
    let opened = 0
    const openWorker = (failing: number) => async () => {
      opened++
      return {
        write: async (shard: number) => (opened <= failing && shard === 0 ? ('lost' as const) : RECORD),
        close: async () => {},
      }
    }
    expect(await writeDataset(fakeRun(newFolder(), { workers: 1, openWorker: openWorker(2) }))).toMatchObject({
      images: 3,
    })
    opened = 0
    await expect(writeDataset(fakeRun(newFolder(), { workers: 1, openWorker: openWorker(9) }))).rejects.toThrow(
      'shard 1 cannot be written: its worker process ended 3 times',
    )
  })
})
