import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { DESKTOP_STYLES } from '../desktop/style/style.ts'
import { DatasetFolder, DISK, type ShardRecord } from './folder.ts'
import { identityOf } from './identity.ts'
import { loadOnce, momentsOf } from './moments.ts'
import { type DatasetPlan, runsOfShard } from './plan.ts'
import { writeShard } from './shard.ts'
import { type DatasetRun, writeDataset } from './write-dataset.ts'

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
}
const scenarios = loadOnce()
const RECORD: ShardRecord = { images: 1, annotations: 2, texts: 3, grounding: 1 }

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

  it('[DS3a] [DS3b] draws each style, and keeps the chosen axes', async () => {
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

  it('[DS4] repeats points only when further variants have none left', async () => {
    const still = { ...PLAN, scenarios: ['desktop'], variants: [] as const }
    const moments = await momentsOf(runsOfShard(still, 0)[0]!, still, scenarios)
    expect(moments).toHaveLength(5)
    expect(new Set(moments.map(({ seed }) => seed)).size).toBeGreaterThan(1)
  })
})

describe('a dataset', () => {
  it('[DS1] [DS5] [DS6] [DS24] [DS25] has the same bytes twice, and says where each picture is from', async () => {
    const [one, other, lines] = [newFolder(), newFolder(), newFolder()]
    const plan = { ...PLAN, count: 6 }
    const write = (out: string, format: DatasetPlan['annotations'] = 'coco') => {
      const its = { ...plan, annotations: format }
      const openWorker = async () => ({
        write: (shard: number) => writeShard(its, shard, new DatasetFolder(out), loadOnce()),
        close: async () => {},
      })
      return writeDataset(fakeRun(out, { plan: its, openWorker }))
    }
    const sums = await write(one)
    await write(other)
    await write(lines, 'lines')
    expect(filesOf(one)).toEqual(filesOf(other))
    expect(Object.keys(filesOf(one))).toEqual([
      'annotations/000001.json',
      'grounding.jsonl',
      ...[1, 2, 3, 4, 5, 6].map((number) => `images/00000${number}.png`),
      'manifest.json',
    ])
    const coco = JSON.parse(readFileSync(join(one, 'annotations/000001.json'), 'utf8'))
    expect(coco.images[0]).toMatchObject({
      id: 1,
      file_name: 'images/000001.png',
      scenario: 'login',
      step: expect.any(Number),
    })
    expect(Object.keys(coco.images[0].variant)).toEqual(['theme'])
    const ids = coco.annotations.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const manifest = JSON.parse(readFileSync(join(one, 'manifest.json'), 'utf8'))
    const { wasComplete: _, ...counts } = sums!
    expect(manifest).toMatchObject({
      identity: {
        format: 'backlot-dataset',
        backlot_version: '1.0.0',
        scenarios: [{ name: 'login', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      },
      counts,
      licence: expect.stringContaining('MIT'),
    })
    const perPicture = readFileSync(join(lines, 'annotations/000001.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(perPicture.flatMap(({ annotations }) => annotations)).toEqual(coco.annotations)
    expect(perPicture.map(({ image }) => image)).toEqual(coco.images)
  })

  it('[DS20] is continued with the shards that are missing', async () => {
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

  it('[DS21] is not written over another, nor over other files', async () => {
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

  it('[DS22] names the file that a full disk has no room for', async () => {
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

  it('[DS23] is given up after a shard has ended three workers', async () => {
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
