import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { scaleSqrt } from 'd3-scale';
import { use, useState } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlasUrl from 'world-atlas/countries-110m.json?url';
import { useFormat } from '../format';
import type { WorldMapProps } from './chart-types';
import { countryOfShape } from './country-shapes';

const WIDTH = 800;
const HEIGHT = 400;
const ANTARCTICA = '010';

interface Shape {
  key: number;
  country: string | undefined;
  outline: string;
}

/* The geography is data, not code: fetched, cached by its hash, and never parsed as JavaScript. */
async function loadShapes(): Promise<Shape[]> {
  const response = await fetch(atlasUrl);
  if (!response.ok) throw new Error(`The map answered ${response.status}`);
  const topology = (await response.json()) as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const countries = feature(topology, topology.objects.countries).features.filter((one) => one.id !== ANTARCTICA);
  const path = geoPath(geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'FeatureCollection', features: countries }));
  return countries.map((one, index) => ({
    key: index,
    country: countryOfShape(String(one.id ?? ''), one.properties.name),
    outline: path(one) ?? '',
  }));
}
const loading = loadShapes();
// Without the map the list beside it still says everything.
loading.catch((cause: unknown) => console.error('The map could not be loaded', cause));
const shapesOrNone = loading.catch((): Shape[] => []);

/** The part of `WorldMap` that is loaded when the first map is shown. */
export default function WorldMapDrawing({
  label,
  values,
  formatValue,
  onSelect,
}: WorldMapProps & { values: Readonly<Record<string, number>> }) {
  const format = useFormat();
  const shapes = use(shapesOrNone);
  const [hovered, setHovered] = useState<string | null>(null);
  const share = scaleSqrt()
    .domain([0, Math.max(1, ...Object.values(values))])
    .range([12, 100]);
  return (
    <figure className="relative m-0">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        className="block w-full"
        onPointerLeave={() => setHovered(null)}
      >
        {shapes.map(({ key, country, outline }) => {
          const value = country === undefined ? undefined : values[country];
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the map is the keyboard's way to the same
            <path
              key={key}
              d={outline}
              onPointerEnter={() => setHovered(country ?? null)}
              onClick={value !== undefined && onSelect && country !== undefined ? () => onSelect(country) : undefined}
              className={
                value === undefined ? 'fill-line stroke-card' : 'cursor-pointer stroke-card hover:brightness-110'
              }
              strokeWidth={0.5}
              style={
                value === undefined
                  ? undefined
                  : { fill: `color-mix(in oklab, var(--chart-1) ${share(value)}%, var(--line))` }
              }
            />
          );
        })}
      </svg>
      {hovered !== null && (
        <figcaption className="pointer-events-none absolute bottom-1 left-1 rounded-control border border-line bg-card px-2.5 py-1.5 text-sm shadow-float">
          {format.country(hovered)}{' '}
          <strong className="tabular font-semibold">{formatValue(values[hovered] ?? 0)}</strong>
        </figcaption>
      )}
    </figure>
  );
}
