// Other pages load this beside the frames of a calendar: it makes each frame as high as what it shows.
const { origin: calendar } = new URL((document.currentScript as HTMLScriptElement).src);
addEventListener('message', ({ data, origin, source }: MessageEvent<{ almanacHeight?: unknown } | null>) => {
  const height = data?.almanacHeight;
  if (origin !== calendar || typeof height !== 'number' || !(height > 0 && height < 20_000)) return;
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source) frame.style.height = `${Math.ceil(height)}px`;
});
for (const frame of document.querySelectorAll('iframe'))
  if (frame.src.startsWith(`${calendar}/`))
    frame.contentWindow?.postMessage({ almanacHeight: 'report' }, '*');
