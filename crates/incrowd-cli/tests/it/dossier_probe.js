// Runs in a copy of a report, and leaves what it found in an attribute of the page.
(() => {
  const found = {};
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  found.plots = all('svg.plot').length;
  found.named = all('svg.plot').filter((plot) => {
    const ids = plot.getAttribute('aria-labelledby').split(' ');
    return ids.every((id) => document.getElementById(id).textContent.length > 3);
  }).length;
  const ids = all('[id]').map((part) => part.id);
  found.twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  found.broken = all('a[href^="#"]').filter((link) => !document.getElementById(link.getAttribute('href').slice(1))).length;
  found.scripts = all('script').length;
  found.loaded = performance.getEntriesByType('resource').map((entry) => entry.name);

  // How well words stand out from what they are on.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (name) => {
    canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    canvas.fillRect(0, 0, 1, 1);
    const parts = Array.from(canvas.getImageData(0, 0, 1, 1).data).slice(0, 3).map((part) => part / 255);
    const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  found.dark = light('--card') < 0.2;
  found.contrasts = {};
  const pairs = [['--ink', '--card'], ['--soft', '--card'], ['--soft', '--page'], ['--accent', '--page'], ['--good', '--good-back'],
    ['--care', '--care-back'], ['--bad', '--bad-back'], ['--good', '--card'], ['--care', '--card'], ['--bad', '--card'], ['--ink', '--warm']];
  for (const [one, other] of pairs) found.contrasts[`${one} on ${other}`] = contrast(one, other);

  // How wide the page is on a narrow screen: in a frame, as windows have a least width.
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width: 375px; height: 800px; border: 0';
  document.body.append(frame);
  const inside = frame.contentDocument;
  inside.open();
  inside.write(document.documentElement.outerHTML.replace(/<script[^]*?<\/script>/g, ''));
  inside.close();
  found.narrow = [frame.clientWidth, inside.documentElement.scrollWidth];
  frame.remove();
  document.documentElement.dataset.probe = JSON.stringify(found);
})();
