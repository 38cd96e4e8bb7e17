import type { ToolResult } from '../../observer/result.ts'
import type { Session } from '../../observer/session/session.ts'

/** The response of GET /api/healthz: readiness and configuration (observer document, "Health"). */
export async function healthOf(
  session: Session,
  config: { readonly path: string; readonly error: string | null },
): Promise<ToolResult> {
  const { settings, trees, perception } = session.context
  const { ocr, vision } = perception
  return {
    ok: true,
    success: true,
    uptime_s: Math.floor((session.operatorClock.now() - session.startedMs) / 1000),
    step_count: session.steps,
    adapter: session.computer.info.adapter,
    platform: session.computer.info.platform,
    version: session.version,
    config_path: config.path,
    config_error: config.error,
    tree_cache: {
      hits: trees.hits,
      misses: trees.misses,
      entries: trees.windows,
      capture_count: trees.captured,
      capture_ms_total: trees.captureMsTotal,
      capture_ms_max: trees.captureMsMost,
      capture_ms_mean: trees.captured === 0 ? 0 : trees.captureMsTotal / trees.captured,
    },
    ocr: {
      enabled: settings.ocr.enabled,
      engine: ocr?.name ?? null,
      pytesseract_installed: ocr !== undefined,
      configured_path: settings.ocr.tesseract_cmd,
      error: settings.ocr.enabled && !ocr ? 'no text recognition is installed for this desktop' : null,
    },
    vlm: {
      enabled: settings.vlm.enabled,
      base_url: settings.vlm.base_url,
      model: vision?.model ?? null,
      error: settings.vlm.enabled && !vision ? 'set vlm.base_url and vlm.model' : null,
    },
  }
}
