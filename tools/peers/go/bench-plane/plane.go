package main

import (
	"context"
	"log"
	"time"

	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
)

type plane struct {
	mesh        *mesh
	snapshots   cache.SnapshotCache
	clientState *clientState
}

type reply struct {
	// The state of the current client.
	State *state `json:"state,omitempty"`
	// When each version was written to the stream, in milliseconds of Unix time.
	Writes map[string]float64 `json:"writes,omitempty"`
	Failed string             `json:"failed,omitempty"`
}

func (p *plane) execute(c command) reply {
	switch c.Op {
	case "state":
		return reply{State: p.clientState.state()}
	case "run":
		return p.run(c)
	case "spoil":
		p.mesh.spoil()
		p.publish()
		return reply{}
	}
	return reply{Failed: "unknown command " + c.Op}
}

func (p *plane) publish() {
	if err := p.snapshots.SetSnapshot(context.Background(), sameNode{}.ID(nil), p.mesh.snapshot()); err != nil {
		log.Fatal(err)
	}
}

func (p *plane) update(short string) {
	p.mesh.change(typeURL(short))
	p.publish()
}

// Changes clusters and load assignments in turns, or only the type of the command.
func (p *plane) run(c command) reply {
	p.clientState.forgetWrites()
	begun := time.Now()
	for i := range c.Times {
		short := c.Type
		if short == "" {
			short = []string{"CDS", "EDS"}[i%2]
		}
		acknowledged := p.clientState.nextAck(typeURL(short))
		p.update(short)
		if c.Rate > 0 {
			time.Sleep(time.Until(begun.Add(time.Duration(float64(i+1) / c.Rate * float64(time.Second)))))
			continue
		}
		select {
		case <-acknowledged:
		case <-time.After(30 * time.Second):
			return reply{Failed: "an update was not acknowledged"}
		}
	}
	return reply{Writes: p.clientState.writes(c.Rate > 0)}
}

func typeURL(short string) resource.Type {
	if short == "CDS" {
		return resource.ClusterType
	}
	return resource.EndpointType
}
