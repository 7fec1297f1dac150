// Short tones made by the browser. They depend on nothing but what the page shows.

let audio: AudioContext | null = null;

export function soundsOn(): boolean {
  return localStorage.getItem("fogtree.sounds") !== "off";
}

export function switchSounds(on: boolean): void {
  localStorage.setItem("fogtree.sounds", on ? "on" : "off");
}

const TONES = {
  move: [[420, 0, 0.07]],
  capture: [
    [300, 0, 0.08],
    [180, 0.06, 0.12],
  ],
  end: [
    [330, 0, 0.15],
    [440, 0.15, 0.15],
    [550, 0.3, 0.3],
  ],
} satisfies Record<string, number[][]>;

export function play(name: keyof typeof TONES): void {
  // A browser allows sound only after the person has touched the page.
  if (!soundsOn() || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  for (const [pitch, start, length] of TONES[name] as [number, number, number][]) {
    const from = audio.currentTime + start;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.type = "triangle";
    oscillator.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(from);
    oscillator.stop(from + length);
  }
}
