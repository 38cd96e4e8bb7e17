import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import type { Scenario } from '../scenario.ts'
import { type ParseOptions, parseScenario } from './load.ts'
import { mayShowPictures } from './pictures.ts'
import { mayInclude } from './prefetch-includes.ts'

interface Loaded {
  readonly scenario: Scenario
  readonly characters: number
}

const MAX_CHARACTERS = 2_000_000

/** The scenarios loaded last, by their texts. */
const loaded = new LruCache<string, Loaded>(MAX_CHARACTERS, ({ characters }) => characters)

/**
 * Like `parseScenario`, with a cache: returns the same value for the same text and file.
 * A text that includes files or shows pictures is parsed each time, because the files may change.
 */
export function loadCachedScenario(text: string, options: ParseOptions): Scenario {
  if (mayInclude(text) || mayShowPictures(text)) return parseScenario(text, options)
  const key = createHash('sha256')
    .update(`${options.maxValues}\n${JSON.stringify(options.file)}\n${text}`)
    .digest('base64')
  const scenario = loaded.get(key)?.scenario ?? parseScenario(text, options)
  return loaded.keep(key, { scenario, characters: text.length }).scenario
}
