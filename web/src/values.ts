// Values with their sign and shares in percent, as all pages of games write them.

export const signed = (value: number): string => (value >= 0 ? "+" : "") + value.toFixed(2);

export function percent(share: number): string {
  return `${share > 0 && share < 0.005 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}
