import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { notOffered } from '../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../probe/http.ts'
import { Artifact } from './contract.ts'
import { upload } from './driver.ts'

/** A 640 × 360 picture with the texts "Search Amazon" and "Settings" once, and "Cancel" twice. */
export const PICTURE = readFileSync(new URL('../pictures/buttons.png', import.meta.url))

export const stored = (answer: HttpResponse) => {
  assert.ok([200, 201].includes(answer.status), `an upload answers ${answer.status}: ${answer.text}`)
  return answer.json(Artifact)
}

export async function picture(http: HttpProbe): Promise<{ readonly artifact_id: string }> {
  const { artifact_id } = stored(await upload(http, PICTURE))
  return { artifact_id }
}

/** Text recognition may be slow, and a backend may not have it. */
export async function ask(http: HttpProbe, path: string, body: unknown): Promise<HttpResponse> {
  const answer = await http.post(`/api/sdk/${path}`, body, { timeoutMs: 30_000 })
  if (answer.status === 503 && path.startsWith('ocr/')) notOffered(`${answer.what} answers 503`)
  return answer
}
