package main

import (
	"context"
	"log"
	"time"

	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
)

type plane struct {
	mesh      *mesh
	snapshots cache.SnapshotCache
	ledger    *ledger
}

type answer struct {
	// Of the last client.
	State *state `json:"state,omitempty"`
	// The version of each update, and when it was written to the stream, in milliseconds of Unix time.
	Writes map[string]float64 `json:"writes,omitempty"`
	Failed string             `json:"failed,omitempty"`
}

func (p *plane) follow(c command) answer {
	switch c.Op {
	case "state":
		return answer{State: p.ledger.state()}
	case "run":
		return p.run(c)
	case "spoil":
		p.mesh.spoil()
		p.publish()
		return answer{}
	}
	return answer{Failed: "there is no " + c.Op}
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

// Clusters and load assignments change in turns unless one type is asked for.
func (p *plane) run(c command) answer {
	p.ledger.forgetWrites()
	begun := time.Now()
	for i := range c.Times {
		short := c.Type
		if short == "" {
			short = []string{"CDS", "EDS"}[i%2]
		}
		acknowledged := p.ledger.nextAck(typeURL(short))
		p.update(short)
		if c.Rate > 0 {
			time.Sleep(time.Until(begun.Add(time.Duration(float64(i+1) / c.Rate * float64(time.Second)))))
			continue
		}
		select {
		case <-acknowledged:
		case <-time.After(30 * time.Second):
			return answer{Failed: "an update was not acknowledged"}
		}
	}
	return answer{Writes: p.ledger.writes(c.Rate > 0)}
}

func typeURL(short string) resource.Type {
	if short == "CDS" {
		return resource.ClusterType
	}
	return resource.EndpointType
}
