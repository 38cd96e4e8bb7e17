import { Fault } from '../../base/fault.ts'
import { loadOptional } from '../../base/optional.ts'
import type { Embedder } from '../perception.ts'

/** The part of `@huggingface/transformers` that is used. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string): Promise<Extractor>
}

type Extractor = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ tolist(): number[][] }>

export interface LocalModel {
  /** The folder that contains the folder of the model. Nothing is downloaded. */
  readonly folder: string
  /** The name of that folder, such as `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string
  readonly dimension: number
  readonly load?: () => Promise<Transformers>
}

const PACKAGE = '@huggingface/transformers'

/** A model that runs in this process with the optional package `@huggingface/transformers`. */
export function localEmbedder({ folder, model, dimension, load = loadPackage }: LocalModel): Embedder {
  let extractor: Promise<Extractor> | undefined
  const open = async () => {
    const transformers = await loadOptional('embeddings', load)
    transformers.env.allowRemoteModels = false
    transformers.env.localModelPath = folder
    return transformers.pipeline('feature-extraction', model).catch((error: Error) => {
      throw new Fault('PlatformUnsupported', `the model ${model} cannot be opened: ${firstLine(error.message)}`)
    })
  }
  return {
    provider: 'transformers',
    model,
    dimension,
    async embed(texts) {
      extractor ??= open().catch((thrown) => {
        extractor = undefined
        throw thrown
      })
      const run = await extractor
      const vectors = (await run(texts, { pooling: 'mean', normalize: true })).tolist()
      const [first] = vectors
      if (first && first.length !== dimension)
        throw new Fault('PlatformUnsupported', `${model} gives ${first.length} numbers, not ${dimension}`)
      return vectors
    },
  }
}

const loadPackage = (): Promise<Transformers> => import(PACKAGE)

const firstLine = (text: string): string => text.split('\n')[0]!
