import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { openEmbedder } from '../open.ts'
import { localEmbedder, type Transformers } from './local-embedder.ts'

// Rules such as [R18] are stated in SPEC.md beside this file.

/** A stand-in for the package: a model whose numbers are the lengths of the words. */
function transformers(known = 'tiny'): Transformers & { readonly opened: string[] } {
  const opened: string[] = []
  return {
    opened,
    env: { allowRemoteModels: true, localModelPath: '' },
    async pipeline(task, model) {
      opened.push(`${task} ${model}`)
      if (model !== known) throw new Error(`no model.onnx in ${model}\nand a long story`)
      return async (texts) => ({ tolist: () => texts.map((text) => [text.length, 0, 1]) })
    },
  }
}

const local = (library: Transformers, more: object = {}) =>
  localEmbedder({ folder: '/models', model: 'tiny', dimension: 3, load: async () => library, ...more })

describe('the local embedder', () => {
  it('[R18] opens the model once, below its folder only', async () => {
    const library = transformers()
    const embedder = local(library)
    expect(await Promise.all([embedder.embed(['a', 'bcd']), embedder.embed(['ef'])])).toEqual([
      [
        [1, 0, 1],
        [3, 0, 1],
      ],
      [[2, 0, 1]],
    ])
    expect(library.env).toEqual({ allowRemoteModels: false, localModelPath: '/models' })
    expect(library.opened).toEqual(['feature-extraction tiny'])
  })

  it('[R18] reports a missing file, and retries', async () => {
    const library = transformers('other')
    const embedder = local(library)
    const failed = { code: 'PlatformUnsupported', message: 'the model tiny cannot be opened: no model.onnx in tiny' }
    await expect(embedder.embed(['a'])).rejects.toMatchObject(failed)
    await expect(embedder.embed(['a'])).rejects.toMatchObject(failed)
    expect(library.opened).toHaveLength(2)
    await expect(local(transformers(), { dimension: 4 }).embed(['a'])).rejects.toMatchObject({
      message: 'tiny gives 3 numbers, not 4',
    })
  })

  it('[R18] reports the install command when the package is missing', async () => {
    const environment = { WINDIEOS_EMBEDDING_MODEL: 'tiny', WINDIEOS_EMBEDDING_MODELS: '/models' }
    expect(openEmbedder(environment)).toMatchObject({ provider: 'transformers', model: 'tiny', dimension: 384 })
    const load = async () => createRequire('/nowhere/program.js')('@huggingface/transformers')
    await expect(local(transformers(), { load }).embed(['a'])).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message:
        'the local embedding model needs the optional package @huggingface/transformers; run: npm install @huggingface/transformers@3',
    })
  })
})
