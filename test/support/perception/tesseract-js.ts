import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { encodePgm } from '../../../src/perception/print-contrast.ts'
import type { Reader } from './read-lines.ts'

/** Starts tesseract.js with its own data for English. */
export async function openTesseractJs(): Promise<{ readonly read: Reader; close(): Promise<unknown> }> {
  const { createWorker, OEM } = await import('tesseract.js')
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    cacheMethod: 'none',
    gzip: true,
  })
  return {
    async read(image, _language, mode) {
      await worker.setParameters({ tessedit_pageseg_mode: String(mode) as never, user_defined_dpi: '192' })
      return (await worker.recognize(encodePgm(image))).data.text
    },
    close: () => worker.terminate(),
  }
}
