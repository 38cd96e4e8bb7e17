import type { Session } from '../../observer/session.ts'
import type { Answer } from '../../observer/tool.ts'

/** GET /api/healthz: ready, and how it was set up (observer document, "Health"). */
export async function healthOf(
  session: Session,
  config: { readonly path: string; readonly error: string | null },
): Promise<Answer> {
  const { ocr, vision } = session.perception
  return {
    ok: true,
    success: true,
    uptime_s: Math.floor((session.clock.now() - session.startedMs) / 1000),
    step_count: session.steps,
    adapter: session.computer.about.adapter,
    platform: session.computer.about.platform,
    version: session.version,
    config_path: config.path,
    config_error: config.error,
    tree_cache: { hits: session.trees.hits, misses: session.trees.misses, entries: session.trees.windows },
    ocr: { enabled: session.settings.ocr.enabled, engine: ocr?.name ?? null },
    vlm: { enabled: session.settings.vlm.enabled, model: vision?.model ?? null },
  }
}
